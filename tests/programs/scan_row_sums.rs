//! The running sum of row sums.
//!
//! shapes: m (m, n)
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn areas(m: &Matrix<u32>) -> Vector<u32> {
        m.sum().cumsum()
    }
}
