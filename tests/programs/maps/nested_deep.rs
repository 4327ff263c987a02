//! Four levels of nesting.
//!
//! shapes: a (m, n), b (n, m)
//! values: a -3..4, b -3..4

accelerate! {
    pub fn deep(a: &Matrix<i32>, b: &Matrix<i32>) -> Vector<i32> {
        a.rows().map(|row| {
            b.rows().map(|other| {
                row.map(|x| other.map(|y| x * y).sum()).sum()
            }).sum()
        })
    }
}
