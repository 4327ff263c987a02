//! A branch over arrays for each row: only the side that is taken is read.
//!
//! kernels: 1 (rowwise)
//! shapes: m (m, n)

accelerate! {
    pub fn turned(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| if row.sum() > 0.0 { row.map(|x| x * 2.0 + 1.0) } else { row.reverse() })
    }
}
