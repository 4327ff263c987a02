//! Rows that are normalized twice, and sorted: one kernel makes what is sorted.
//!
//! kernels: 6 (rowwise, sort)
//! shapes: m (h, w)
//! values: m 0.5..4.0

accelerate! {
    pub fn sorted(m: &Matrix<f32>) -> Matrix<f32> {
        let shares = m.rows().map(|row| {
            let total = row.sum();
            row.map(|x| x / total)
        });
        let scaled = shares.rows().map(|row| {
            let largest = row.fold(0.0, |a, b| a.max(b));
            row.map(|x| x / largest)
        });
        scaled.rows().map(|row| row.sort())
    }
}
