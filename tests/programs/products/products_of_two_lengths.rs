//! Sums and pairs of products of two lengths: each length has a kernel with tiles of its own.
//!
//! kernels: 2 (contraction, contraction)
//! shapes: x (n, k), w (k, m), h (n, l), u (l, m), b m

accelerate! {
    pub fn cell(
        x: &Matrix<f32>, w: &Matrix<f32>, h: &Matrix<f32>, u: &Matrix<f32>, b: &Vector<f32>,
    ) -> (Matrix<f32>, Matrix<f32>) {
        let sums = x.matmul(w) + h.matmul(u);
        (sums.rows().map(|row| row + b), h.matmul(u).map(|y| y * y))
    }
}
