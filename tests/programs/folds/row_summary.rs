//! Several results per row in one pass.
//!
//! kernels: 1 (reduce)
//! bytes: 4m n + 16m
//! shapes: m (m, n)

accelerate! {
    pub fn summary(m: &Matrix<f32>) -> Vector<(f32, f32, f64)> {
        m.rows().map(|row| (row.fold(0.0, |a, b| a.max(b)), row.sum(), row.map(|x| x as f64).sum()))
    }
}
