//! Running sums.
//!
//! kernels: 1 (scan)
//! bytes: 8n
//! shapes: xs n
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn cumsum(xs: &Vector<f32>) -> Vector<f32> {
        xs.cumsum()
    }
}
