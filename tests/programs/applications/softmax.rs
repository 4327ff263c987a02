//! Rows: two reductions and a map over each, in one kernel that reads its input no more than it must.
//!
//! kernels: 1 (rowwise)
//! bytes: 8m n
//! shapes: m (m, n)
//! sizes: m 40 n 1, m 33 n 3, m 100 n 31, m 40 n 32, m 2 n 31, m 2 n 32, m 2 n 33, m 2 n 511, m 2 n 512, m 2 n 513, m 2 n 1000, m 2 n 1023, m 2 n 1024, m 2 n 1025, m 2 n 2047, m 2 n 2048, m 2 n 2049, m 1 n 5000, m 65 n 1023, m 65 n 1025, m 65 n 2049

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
