//! The place of the largest element of each row.
//!
//! kernels: 1 (reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn best(m: &Matrix<f32>) -> Vector<usize> {
        m.argmax()
    }
}
