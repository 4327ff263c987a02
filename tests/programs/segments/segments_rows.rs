//! Each row in the same segments.
//!
//! kernels: 2 (scan, reduce)
//! shapes: lengths s, m (h, n)
//! lengths: lengths n

accelerate! {
    pub fn of_rows(lengths: &Vector<u32>, m: &Matrix<i32>) -> Matrix<i32> {
        m.sum_segmented(&lengths)
    }
}
