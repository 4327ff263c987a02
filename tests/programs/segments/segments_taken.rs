//! Sums of some segments of each row: what the others have lies between the last one of a row and the first one of the next, and is
//! no row's.
//!
//! kernels: 1 (reduce)
//! shapes: m (h, n), offsets k
//! offsets: offsets n

accelerate! {
    pub fn middles(m: &Matrix<i32>, offsets: &Vector<u32>) -> Matrix<i32> {
        m.rows().map(|row| {
            let sums = row.sum_segmented(&Offsets::new(offsets));
            sums.skip(sums.len() / 3).take(sums.len() / 2)
        })
    }
}
