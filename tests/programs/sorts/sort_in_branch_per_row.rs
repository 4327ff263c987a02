//! Sorts of some rows only, by keys that fail where an element is zero: of those rows only, which are found first.
//!
//! kernels: 8 (elementwise, scan, sort, scan)
//! shapes: m (h, w)
//! values: m 0..40
//! work: m 1..40

accelerate! {
    pub fn middles(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| {
            if row[0] % 4 == 1 {
                let sorted = row.sort_by_key(|x| 1000 / x);
                sorted[row.len() / 2]
            } else {
                row[0]
            }
        })
    }
}
