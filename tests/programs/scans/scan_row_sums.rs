//! The running sum of row sums.
//!
//! kernels: 2 (reduce, scan)
//! bytes: 4m n + 12m
//! shapes: m (m, n)

accelerate! {
    pub fn areas(m: &Matrix<u32>) -> Vector<u32> {
        m.sum().cumsum()
    }
}
