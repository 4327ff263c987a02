//! All elements of normalized rows in one fold: a row is normalized once, not for each of its elements.
//!
//! kernels: 2 (rowwise, reduce)
//! shapes: m (m, n)
//! values: m -1.0..1.0

accelerate! {
    pub fn folded(m: &Matrix<f64>) -> f64 {
        let normalized = m.rows().map(|row| {
            let total = row.map(|x| x.exp()).sum();
            row.map(|x| x.exp() / total)
        });
        normalized.fold_all(0.5, |a, b| a.max(b))
    }
}
