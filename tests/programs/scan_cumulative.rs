//! The known running operations over the rows of a matrix.
//!
//! kernels: 1 (scan)
//! bytes: 16m n
//! shapes: m (m, n)
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn cumulative(m: &Matrix<i32>) -> (Matrix<i32>, Matrix<i32>, Matrix<i32>) {
        (m.cumprod(), m.cummax(), m.cummin())
    }
}
