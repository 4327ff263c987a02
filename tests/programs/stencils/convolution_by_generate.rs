//! A convolution without a border as a formula says it: the checks of its lengths leave nothing to test where it reads.
//!
//! kernels: 4 (reduce, reduce, elementwise, elementwise)
//! shapes: xs n, w k, m (h, l), v (p, q)
//! work: fails

accelerate! {
    pub fn convolution_by_generate(
        xs: &Vector<f32>,
        w: &Vector<f32>,
        m: &Matrix<f32>,
        v: &Matrix<f32>,
        lag: u8,
    ) -> (Vector<f32>, Matrix<f32>, Vector<f32>, Matrix<f32>) {
        let line = generate(xs.len() - w.len() + 1, |i| generate(w.len(), |j| xs[i + j] * w[j]).sum());
        let (h, l) = m.shape();
        let (p, q) = v.shape();
        let plane = generate((h - p + 1, l - q + 1), |(i, j)| {
            generate((p, q), |(a, b)| m[(i + a, j + b)] * v[(a, b)]).sum_all()
        });
        let lag = lag as usize % 5;
        let steps = iota(xs.len() - lag).map(|i| xs[i + lag] - xs[i]);
        let across = m.rows().map(|row| generate(row.len() - 1, |j| row[j + 1] - row[j]));
        (line, plane, steps, across)
    }
}
