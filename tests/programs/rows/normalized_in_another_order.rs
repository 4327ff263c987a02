//! Rows that are normalized, and read by columns: the folds of rows are shared by elements that are stored, not repeated for each.
//!
//! kernels: 3 (rowwise, elementwise, reduce)
//! shapes: m (h, w)
//! values: m 0.5..4.0

accelerate! {
    pub fn turned(m: &Matrix<f32>) -> (Matrix<f32>, Vector<f32>) {
        let by_largest = m.rows().map(|row| {
            let largest = row.fold(0.0, |a, b| a.max(b));
            row.map(|x| x / largest)
        });
        let by_sum = m.rows().map(|row| {
            let sum = row.fold(1.0, |a, b| a.max(b));
            row.map(|x| x - sum)
        });
        (by_largest.transpose(), by_sum.columns().map(|column| column.fold(0.0, |a, b| a.max(b))))
    }
}
