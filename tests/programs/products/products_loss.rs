//! The sum of the squares of what a product misses, as losses of regressions are.
//!
//! kernels: 1 (reduce)
//! shapes: x (n, k), w (k, m), y (n, m)
//! sizes: n 13 k 9 m 33, n 100 k 8 m 600, n 6 k 131 m 32, n 200 k 10 m 40, n 7 k 8 m 31, n 7 k 0 m 40

accelerate! {
    pub fn loss(x: &Matrix<f32>, w: &Matrix<f32>, y: &Matrix<f32>) -> f32 {
        (x.matmul(w) - y).map(|d| d * d).sum_all() / y.len() as f32
    }
}
