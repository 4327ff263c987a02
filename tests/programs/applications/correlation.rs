//! How columns correlate. Both sides of the product are the same columns, normalized: they are stored, since the product would
//! have no tiles if it folded them again.
//!
//! kernels: 2 (rowwise, contraction)
//! shapes: x (n, m)

accelerate! {
    pub fn correlation(x: &Matrix<f32>) -> Matrix<f32> {
        let n = x.shape().0 as f32;
        let columns = x.transpose().rows().map(|column| {
            let mean = column.sum() / n;
            let centred = column.map(|v| v - mean);
            let norm = centred.map(|v| v * v).sum().sqrt();
            centred.map(|v| v / norm)
        });
        columns.matmul(columns.transpose())
    }
}
