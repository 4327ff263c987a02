//! The running sum of row sums.
//!
//! kernels: 2 (reduce, scan)
//! bytes: 4m n + 12m
//! shapes: m (m, n)
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn areas(m: &Matrix<u32>) -> Vector<u32> {
        m.sum().cumsum()
    }
}
