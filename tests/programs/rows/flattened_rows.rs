//! Rows whose elements share a reduction, read as one vector and by flat indices: none folds its row again.
//!
//! kernels: 2 (rowwise, elementwise)
//! bytes: 20m n
//! shapes: m (m, n)
//! values: m -1.0..1.0

accelerate! {
    pub fn flattened_rows(m: &Matrix<f32>) -> (Vector<f32>, Vector<f32>) {
        let shares = m.rows().map(|row| {
            let total = row.map(|x| x.exp()).sum();
            row.map(|x| x.exp() / total)
        });
        let flat = shares.flatten();
        (flat, flat.zip(m.flatten()).map(|(share, x)| share * x))
    }
}
