//! Float sums by key with the same bits everywhere: sorted by key, folded by blocks and runs.
//!
//! kernels: 7 (sort, elementwise, scatter)
//! shapes: keys n, xs n
//! values: keys 0..40, bins 40..64, xs -1..1

accelerate! {
    #[deterministic]
    pub fn sums(keys: &Vector<u32>, xs: &Vector<f32>, bins: usize) -> Vector<f32> {
        keys.reduce_by_index(xs, bins, 0.0, |sum, x| sum + x)
    }
}
