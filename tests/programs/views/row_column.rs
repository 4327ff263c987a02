//! A row and a column of a matrix.
//!
//! kernels: 1 (reduce)
//! shapes: m (k, k)
//! values: i 0..3

accelerate! {
    pub fn crossing(m: &Matrix<f32>, i: usize) -> f32 {
        m.row(i).dot(&m.column(i))
    }
}
