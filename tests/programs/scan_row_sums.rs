//! The running sum of row sums.
//!
//! shapes: m (m, n)

accelerate! {
    pub fn areas(m: &Matrix<u32>) -> Vector<u32> {
        m.sum().cumsum()
    }
}
