//! Inside a closure over rows; the greatest sum of each row.
//!
//! shapes: at k, m (h, n)
//! offsets: at n

accelerate! {
    pub fn greatest(at: &Vector<u32>, m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.sum_segmented(Offsets::new(&at)).fold(i32::MIN, |a, b| a.max(b)))
    }
}
