//! Products of rows, summed exactly, and rounded once.
//!
//! kernels: 1
//! shapes: m (m, n), x n

accelerate! {
    pub fn dots(m: &Matrix<i64>, x: &Vector<i64>) -> Vector<(i64, u64, f64, f32)> {
        m.rows().map(|row| {
            let mut sum = 0i128;
            for k in 0..row.len().min(x.len()) {
                sum += row[k] as i128 * x[k] as i128;
            }
            ((sum >> 64) as i64, sum as u64, sum as f64, sum as f32)
        })
    }
}
