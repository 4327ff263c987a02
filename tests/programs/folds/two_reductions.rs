//! Two reductions over one array are one pass.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 8
//! shapes: xs n

accelerate! {
    pub fn both(xs: &Vector<f32>) -> (f32, f32) {
        (xs.sum(), xs.map(|x| x * x).sum())
    }
}
