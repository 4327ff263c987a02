//! A row's own sum, which may fail, added in a loop of the row: it is computed once a row.
//!
//! shapes: m (r, c)
//! values: m 1..4

accelerate! {
    pub fn added(m: &Matrix<u32>) -> Vector<u32> {
        m.rows().map(|row| {
            let s = row.map(|x| 100 / x).sum();
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
}
