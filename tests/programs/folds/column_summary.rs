//! Several results per column in one pass, in any order and in order.
//!
//! kernels: 1 (reduce)
//! bytes: 4m n + 24n
//! shapes: m (m, n)

accelerate! {
    pub fn summary(m: &Matrix<f32>) -> (Vector<(f32, f32, f64)>, Vector<usize>) {
        let summary = m.columns().map(|column| {
            (column.fold(0.0, |a, b| a.max(b)), column.sum(), column.map(|x| x as f64).sum())
        });
        (summary, m.columns().map(|column| column.argmax()))
    }
}
