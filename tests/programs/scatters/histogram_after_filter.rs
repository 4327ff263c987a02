//! The most frequent quotient of the rows that a filter keeps: its condition fails where rows have no elements, its elements
//! only of what it keeps.
//!
//! kernels: 3 (scan, scatter, reduce)
//! shapes: m (h, w)
//! values: m 0..9

accelerate! {
    pub fn modes(m: &Matrix<i32>, limit: i32) -> Vector<usize> {
        let (h, w) = m.shape();
        iota(h)
            .filter(|i| m[(i, w - 1)] > limit)
            .map(|i| m.row(i).map(|x| (100 / (x + limit)) as usize).histogram(101).argmax())
    }
}
