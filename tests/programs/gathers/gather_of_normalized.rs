//! Rows over their sums, of which data say what is read: no read sums its row. One of each row is another matter: there the sum
//! is that of the row at hand.
//!
//! kernels: 3 (rowwise, elementwise, reduce)
//! shapes: m (h, w), ids n, ks n, labels h
//! values: ids 0..h, ks 0..w, labels 0..w, m 0.5..4.0

accelerate! {
    pub fn gathered(
        m: &Matrix<f32>,
        ids: &Vector<usize>,
        ks: &Vector<usize>,
        labels: &Vector<usize>,
    ) -> (Vector<f32>, f32) {
        let parts = m.rows().map(|row| {
            let total = row.sum();
            row.map(|x| x / total)
        });
        let read = ids.zip(ks).map(|(i, k)| parts[(i, k)]);
        let rows = m.rows().map(|row| {
            let largest = row.fold(0.0, |a, b| a.max(b));
            row.map(|x| x / largest)
        });
        let loss = labels.zip(rows.rows()).map(|(label, row)| 1.0 - row[label]).sum();
        (read, loss)
    }
}
