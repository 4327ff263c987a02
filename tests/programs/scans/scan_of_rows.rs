//! A scan in a closure over rows.
//!
//! kernels: 1 (scan)
//! bytes: 16m n
//! shapes: m (m, n)

accelerate! {
    pub fn of_rows(m: &Matrix<f64>) -> Matrix<f64> {
        m.rows().map(|row| row.map(|x| x + 1.0).scan1(|a, b| a.max(b)))
    }
}
