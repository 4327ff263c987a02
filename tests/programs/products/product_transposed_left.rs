//! A matrix product whose left operand lies transposed.
//!
//! kernels: 1 (contraction)
//! bytes: 4k m + 4k n + 4m n
//! shapes: a (k, m), b (k, n)

accelerate! {
    pub fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.transpose().matmul(b)
    }
}
