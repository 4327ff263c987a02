//! A loss for each of some batches, with two products of a row and a column in one fold.
//!
//! kernels: 1 (reduce)
//! shapes: xs (b, n, k), w (m, k)
//! sizes: b 2 n 13 k 9 m 33, b 3 n 100 k 8 m 40, b 1 n 6 k 131 m 32, b 2 n 7 k 8 m 31, b 2 n 7 k 0 m 40

accelerate! {
    pub fn losses(xs: &Cube<f32>, w: &Matrix<f32>) -> Vector<f32> {
        xs.outer().map(|x| {
            let cosines = x.rows().map(|a| {
                w.rows().map(|b| a.zip_with(b, |p, q| p * q).sum() / (1.0 + a.zip_with(b, |p, q| (p - q).abs()).sum()))
            });
            cosines.map(|c| c * c).sum_all()
        })
    }
}
