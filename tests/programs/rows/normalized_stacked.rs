//! Normalized rows beside others in one array: their rows have no prefix of its indices, and are folded by rows all the same.
//!
//! kernels: 1 (rowwise)
//! shapes: m (m, n)
//! values: m -1.0..1.0

accelerate! {
    pub fn stacked(m: &Matrix<f64>) -> Array<f64, 3> {
        let normalized = m.rows().map(|row| {
            let total = row.map(|x| x.exp()).sum();
            row.map(|x| x.exp() / total)
        });
        stack((normalized, m))
    }
}
