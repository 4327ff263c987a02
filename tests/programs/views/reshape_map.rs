//! A reshape between two maps stays one linear kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 8m n
//! shapes: m (m, n)

accelerate! {
    pub fn around(m: &Matrix<f32>) -> Vector<f32> {
        m.map(|x| x + 1.0).flatten().map(|x| x * 2.0)
    }
}
