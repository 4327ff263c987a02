//! Columns as arrays.
//!
//! kernels: 1 (reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn norms(m: &Matrix<f64>) -> Vector<f64> {
        m.columns().map(|column| column.map(|x| x * x).sum().sqrt())
    }
}
