//! A sum that may fail as the argument of a function that adds it in a loop of each row: it is computed once.
//!
//! shapes: xs n, m (r, c)
//! values: xs 1..100, m 0..3

accelerate! {
    fn repeated(s: u32, m: &Matrix<u32>) -> Vector<u32> {
        m.rows().map(|row| {
            let k = row.sum();
            let mut total = 0;
            let mut i = 0;
            while i < k {
                total += s;
                i += 1;
            }
            total
        })
    }

    pub fn added(xs: &Vector<u32>, m: &Matrix<u32>) -> Vector<u32> {
        repeated(xs.map(|x| 100 / x).sum(), m)
    }
}
