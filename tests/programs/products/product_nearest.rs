//! The place along each row and column where they differ least: a fold that has nothing to start from.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (n, k)

accelerate! {
    pub fn nearest(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<usize> {
        a.rows().map(|x| b.rows().map(|y| x.zip(y).map(|(p, q)| (p - q).abs()).argmin()))
    }
}
