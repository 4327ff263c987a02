//! The initial value is the row's own.
//!
//! kernels: 1 (scan)
//! bytes: 8m n + 8m
//! shapes: m (m, n), starts m

accelerate! {
    pub fn started(m: &Matrix<i32>, starts: &Vector<i32>) -> Matrix<i32> {
        m.rows().zip(starts).map(|(row, start)| row.scan(start, |a, x| a + x))
    }
}
