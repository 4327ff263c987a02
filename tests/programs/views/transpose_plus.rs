//! A matrix and its transpose in one kernel: elements are read along rows and along columns.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n n
//! shapes: m (n, n)

accelerate! {
    pub fn symmetric(m: &Matrix<f32>) -> Matrix<f32> {
        (m + m.transpose()).map(|x| x * 0.5)
    }
}
