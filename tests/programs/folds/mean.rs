//! The mean is a sum with an epilogue.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 8
//! shapes: xs n

accelerate! {
    pub fn average(xs: &Vector<f64>) -> f64 {
        xs.mean()
    }
}
