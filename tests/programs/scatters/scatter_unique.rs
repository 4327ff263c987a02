//! Each target at most once, which is proved: a permutation of the rows and columns.
//!
//! kernels: 1 (scatter)
//! bytes: 16h w
//! shapes: m (h, w)

accelerate! {
    pub fn turned(m: &Matrix<f64>) -> Matrix<f64> {
        let (h, w) = m.shape();
        fill((w, h), -1.0).scatter_unique(m, |(i, j), _| Some((w - 1 - j, i)))
    }
}
