//! Mean and variance of each row, then every element: one kernel.
//!
//! kernels: 1 (rowwise)
//! bytes: 8m n
//! shapes: m (m, n)
//! sizes: m 2 n 1000, m 2 n 1023, m 2 n 1025, m 2 n 2049, m 65 n 1030

accelerate! {
    pub fn layer_norm(m: &Matrix<f32>, epsilon: f32) -> Matrix<f32> {
        m.rows().map(|row| {
            let mean = row.mean();
            let variance = row.map(|x| (x - mean) * (x - mean)).mean();
            let scale = rsqrt(variance + epsilon);
            row.map(|x| (x - mean) * scale)
        })
    }
}
