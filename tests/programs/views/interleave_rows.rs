//! Alternating columns of two matrices of pairs.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! shapes: a (m, n), b (m, n)

accelerate! {
    pub fn interleaved(a: &Matrix<(i32, f32)>, b: &Matrix<(i32, f32)>) -> Matrix<(f32, i32)> {
        a.map(|(k, x)| (k + 1, x)).interleave(b).map(|(k, x)| (x, k))
    }
}
