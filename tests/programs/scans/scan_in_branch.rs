//! A scan that can fail, in the rows that ask for it only.
//!
//! shapes: m (m, n)
//! values: m 0..3

accelerate! {
    pub fn asked(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| {
            if row.map(|x| x > 0).all() {
                row.map(|x| 12 / x).cumsum().fold(0, |a, x| a.max(x))
            } else {
                -1
            }
        })
    }
}
