//! One sum per row.
//!
//! kernels: 1 (reduce)
//! bytes: 4m n + 4m
//! shapes: m (m, n)

accelerate! {
    pub fn rows(m: &Matrix<f32>) -> Vector<f32> {
        m.sum()
    }
}
