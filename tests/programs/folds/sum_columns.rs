//! One sum per column.
//!
//! kernels: 1 (reduce)
//! bytes: 4m n + 4n
//! shapes: m (m, n)

accelerate! {
    pub fn columns(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(0)
    }
}
