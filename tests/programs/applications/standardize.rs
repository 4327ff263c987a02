//! Columns, rows and planes brought to a mean of zero: each mean is computed once, not for each element that it is taken from.
//!
//! kernels: 5
//! shapes: m (h, w), c (d, h, w)

accelerate! {
    fn mean(xs: &Vector<f32>) -> f32 {
        xs.sum() / xs.len() as f32
    }

    pub fn standardize(m: &Matrix<f32>, c: &Cube<f32>) -> (Matrix<f32>, Matrix<f32>, Matrix<f32>, Cube<f32>) {
        let means = m.columns().map(|column| mean(column));
        let of_columns = m.rows().map(|row| row.zip_with(&means, |x, mean| x - mean));
        let (h, w) = m.shape();
        let deviations = generate(w, |j| {
            let squares = m.column(j).map(|x| (x - means[j]) * (x - means[j]));
            (squares.sum() / h as f32).sqrt()
        });
        let scaled = generate((h, w), |(i, j)| of_columns[(i, j)] / deviations[j]);
        let of_rows = m.rows().map(|row| {
            let mean = mean(row);
            row.map(|x| x - mean)
        });
        let planes = c.sum_axis(0);
        let (depth, ..) = c.shape();
        let of_planes = generate(c.shape(), |(k, i, j)| c[(k, i, j)] - planes[(i, j)] / depth as f32);
        (of_columns, scaled, of_rows, of_planes)
    }
}
