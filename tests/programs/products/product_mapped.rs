//! A product of mapped operands, each map computed once per element that a block has at hand.
//!
//! kernels: 1 (contraction)
//! bytes: 8k m + 8k n + 8m n
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
        a.map(|x| 2.0 * x + 1.0).matmul(b.map(|y| y.abs())).map(|z| z * 0.5)
    }
}
