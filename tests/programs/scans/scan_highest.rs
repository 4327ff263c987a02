//! The highest running product of each row, which must have elements.
//!
//! kernels: 1 (scan)
//! bytes: 4m n + 4m
//! shapes: m (m, n)

accelerate! {
    pub fn highest(m: &Matrix<u32>) -> Vector<u32> {
        m.rows().map(|row| row.scan1(|a, x| a * x).max())
    }
}
