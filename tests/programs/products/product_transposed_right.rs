//! A matrix product whose right operand lies transposed.
//!
//! kernels: 1 (contraction)
//! bytes: 8k m + 8k n + 8m n
//! shapes: a (m, k), b (n, k)

accelerate! {
    pub fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
        a.matmul(b.transpose())
    }
}
