//! Running sums.
//!
//! kernels: 1 (scan)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn cumsum(xs: &Vector<f32>) -> Vector<f32> {
        xs.cumsum()
    }
}
