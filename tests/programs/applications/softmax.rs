//! Rows: two reductions and a map over each, in one kernel that reads its input no more than it must.
//!
//! kernels: 1 (rowwise)
//! bytes: 8m n
//! shapes: m (m, n)

accelerate! {
    pub fn softmax(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let top = row.fold(f32::NEG_INFINITY, |a, b| a.max(b));
            let powers = row.map(|x| (x - top).exp());
            let total = powers.sum();
            powers.map(|p| p / total)
        })
    }
}
