//! Composition of affine maps from the right.
//!
//! kernels: 1 (scan)
//! bytes: 16m n
//! shapes: m (m, n)

accelerate! {
    pub fn compose(m: &Matrix<(i32, i32)>) -> Matrix<(i32, i32)> {
        m.rscan1(|(a, b), (c, d)| (a * c, b * c + d))
    }
}
