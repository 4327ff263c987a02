//! The running sums of each row, folded where they come by.
//!
//! kernels: 1 (scan)
//! bytes: 4m n + 4m
//! shapes: m (m, n)

accelerate! {
    pub fn highest(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.cumsum().fold(0, |a, x| a.max(x)))
    }
}
