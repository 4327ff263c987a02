//! The pair of a row and its reverse, for each row.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 24m n
//! shapes: m (m, n)

accelerate! {
    pub fn both(m: &Matrix<(f32, i32)>) -> Cube<(f32, i32)> {
        m.rows().map(|row| stack((row, row.reverse()))).map(|(x, k)| (x + 1.0, k))
    }
}
