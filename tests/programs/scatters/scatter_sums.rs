//! Sums by key: float sums in any order, over a range of bins.
//!
//! kernels: 1 (scatter)
//! bytes: 12n + 12bins
//! shapes: keys n, xs n
//! values: keys 0..40, bins 40..64

accelerate! {
    pub fn sums(keys: &Vector<u64>, xs: &Vector<f32>, bins: usize) -> Vector<f32> {
        keys.reduce_by_index(xs, bins, 0.0, |sum, x| sum + x)
    }
}
