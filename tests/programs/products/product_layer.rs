//! A layer of neurons: bias and threshold after the product, in its kernel.
//!
//! kernels: 1 (contraction)
//! bytes: 4k m + 4k n + 4m n + 4n
//! shapes: xs (m, k), weights (k, n), bias n

accelerate! {
    pub fn layer(xs: &Matrix<f32>, weights: &Matrix<f32>, bias: &Vector<f32>) -> Matrix<f32> {
        xs.matmul(weights).rows().map(|row| row.zip(bias).map(|(x, b)| (x + b).max(0.0)))
    }
}
