//! A map before and a map after, in one kernel.
//!
//! kernels: 1 (scan)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn fused(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * x + 1.0).cumsum().map(|x| x.sqrt())
    }
}
