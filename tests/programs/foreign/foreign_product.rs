//! A foreign function of arrays alone.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)
//! values: a -2.0..2.0, b -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::product)]
    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    pub fn foreign_product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        product(a, b)
    }
}
