//! Three maps are one kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn chain(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0).map(|x| x * 2.0).map(|x| x - 3.0)
    }
}
