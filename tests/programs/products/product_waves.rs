//! Amplitudes of waves in each row: the right operand is computed, once for each of its elements.
//!
//! kernels: 1 (contraction)
//! shapes: xs (m, k), waves n

accelerate! {
    pub fn amplitudes(xs: &Matrix<f64>, waves: &Vector<f64>) -> Matrix<f64> {
        xs.rows().map(|row| {
            waves.map(|w| row.map_indexed(|k, x| x * (w * k as f64 * 0.01).cos()).sum())
        })
    }
}
