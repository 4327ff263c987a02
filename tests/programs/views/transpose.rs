//! A transpose fused with its consumer.
//!
//! kernels: 1 (elementwise)
//! bytes: 12m n
//! shapes: a (m, n), b (n, m)

accelerate! {
    pub fn plus_transposed(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a + b.transpose()
    }
}
