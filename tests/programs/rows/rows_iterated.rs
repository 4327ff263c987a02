//! Newton's method on each row's sum, in so many rounds: the elements share its root.
//!
//! kernels: 1 (rowwise)
//! bytes: 16m n
//! shapes: m (m, n)
//! values: m 0.5..2.0

accelerate! {
    pub fn rows_iterated(m: &Matrix<f64>) -> Matrix<f64> {
        m.rows().map(|row| {
            let sum = row.sum();
            let mut root = 1.0;
            for _ in 0..20 {
                root = (root + sum / root) / 2.0;
            }
            row.map(|x| x / root)
        })
    }
}
