//! Windows within rows, for each row.
//!
//! kernels: 1 (elementwise)
//! shapes: m (r, c)

accelerate! {
    pub fn slopes(m: &Matrix<f64>) -> Matrix<f64> {
        m.rows().map(|row| row.windows(3).map(|w| (w[2] - w[0]) / 2.0 + w.len() as f64))
    }
}
