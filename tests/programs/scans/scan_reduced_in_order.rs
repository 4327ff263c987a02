//! What is reduced in order waits until all of a row is scanned, and so does what a whole vector comes to.
//!
//! kernels: 4
//! shapes: m (m, n), xs n

accelerate! {
    pub fn in_order(m: &Matrix<i32>, xs: &Vector<i32>) -> (Vector<(i32, i32)>, i32) {
        let maps = m.rows().map(|row| {
            row.cumsum().map(|x| (x, 1)).fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d))
        });
        (maps, xs.cumsum().fold(0, |a, x| a.max(x)))
    }
}
