//! The matrix product by its name.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn matmul(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }
}
