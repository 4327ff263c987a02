//! Two folds over one array in one kernel.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 8
//! shapes: xs n

accelerate! {
    pub fn extremes(xs: &Vector<f32>) -> (f32, f32) {
        (xs.min(), xs.max())
    }
}
