//! A layer of neurons: weights read as they were stored, a bias and a ramp after the products.
//!
//! kernels: 2 (elementwise, reduce)
//! bytes: 1m n + 8m + 12n
//! shapes: weights (m, n), x n, bias m

accelerate! {
    pub fn layer(weights: &Matrix<i8>, x: &Vector<f32>, bias: &Vector<f32>) -> Vector<f32> {
        let scaled = weights.map(|w| w as f32 / 64.0);
        (scaled.matvec(x.map(|x| x - 0.5)) + bias).map(|y| y.max(0.0))
    }
}
