//! Flatten and reshape cost nothing: the same array comes back.
//!
//! kernels: 0
//! bytes: 0
//! shapes: m (m, n)

accelerate! {
    pub fn same(m: &Matrix<f32>) -> Matrix<f32> {
        m.flatten().reshape(m.shape())
    }
}
