//! A matrix times a vector.
//!
//! kernels: 1 (reduce)
//! shapes: a (m, n), x n

accelerate! {
    pub fn apply(a: &Matrix<f32>, x: &Vector<f32>) -> Vector<f32> {
        a.matvec(x)
    }
}
