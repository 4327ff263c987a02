//! The matrix product as nested programs.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.rows().map(|row| b.columns().map(|column| row.zip(column).map(|(x, y)| x * y).sum()))
    }
}
