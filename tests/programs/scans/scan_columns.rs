//! The running sums of each column: rows of the result.
//!
//! kernels: 1 (scan)
//! bytes: 8m n
//! shapes: m (m, n)

accelerate! {
    pub fn columns(m: &Matrix<i32>) -> Matrix<i32> {
        m.columns().map(|column| column.cumsum())
    }
}
