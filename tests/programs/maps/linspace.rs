//! Evenly spaced points, both ends exact.
//!
//! kernels: 1 (elementwise)
//! values: n 0..2000

accelerate! {
    pub fn spaced(a: f64, b: f64, n: usize) -> Vector<f64> {
        linspace(a, b, n)
    }
}
