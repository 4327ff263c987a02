//! What meets in order may be combined by an operator that does not commute: the last number that is one.
//!
//! kernels: 5 (elementwise, sort, elementwise, scatter)
//! shapes: keys n, xs n
//! values: keys 0..6

accelerate! {
    #[deterministic]
    pub fn last(keys: &Vector<u8>, xs: &Vector<f32>) -> Vector<f32> {
        keys.reduce_by_index(xs, 6, f32::NAN, |old, new| if new != new { old } else { new })
    }
}
