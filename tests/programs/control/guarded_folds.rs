//! Folds of a row of each of two matrices, on one side of a branch, by an index that may be out of range.
//!
//! shapes: m (m, n), w (m, p)
//! values: k 0..9, n 0..5

accelerate! {
    pub fn chosen(m: &Matrix<f64>, w: &Matrix<f64>, k: usize, n: i32) -> f64 {
        let sums = m.rows().map(|r| r.sum());
        let most = w.rows().map(|r| r.fold(0.0, |a, b| a.max(b)));
        let both = sums.zip(most).map(|(a, b)| a + b);
        if n > 2 { both[k] } else { 1.0 }
    }
}
