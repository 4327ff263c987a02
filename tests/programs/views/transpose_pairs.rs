//! A transpose of pairs: of two arrays with elements of different sizes.
//!
//! kernels: 1 (elementwise)
//! bytes: 18m n
//! shapes: m (m, n)

accelerate! {
    pub fn numbered(m: &Matrix<(u8, f64)>) -> Matrix<(u8, f64)> {
        m.transpose().map(|(k, x)| (k + 1, x * 0.5))
    }
}
