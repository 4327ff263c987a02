//! The least running sum of each row, from what its elements come to and a number of its own.
//!
//! kernels: 1 (scan)
//! bytes: 4m n + 8m
//! shapes: m (m, n), own m

accelerate! {
    pub fn least(m: &Matrix<i32>, own: &Vector<i32>) -> Vector<i32> {
        m.rows().zip(own).map(|(row, own)| {
            let from = row.fold(own, |a, x| a ^ x);
            row.cumsum().fold(from, |a, x| a.min(x))
        })
    }
}
