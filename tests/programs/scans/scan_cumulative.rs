//! The known running operations over the rows of a matrix.
//!
//! kernels: 1 (scan)
//! bytes: 16m n
//! shapes: m (m, n)

accelerate! {
    pub fn cumulative(m: &Matrix<i32>) -> (Matrix<i32>, Matrix<i32>, Matrix<i32>) {
        (m.cumprod(), m.cummax(), m.cummin())
    }
}
