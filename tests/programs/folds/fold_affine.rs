//! Composition of affine maps along the rows of a matrix.
//!
//! kernels: 1 (reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn compose(m: &Matrix<(i32, i32)>) -> Vector<(i32, i32)> {
        m.fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d))
    }
}
