//! Sorts of some rows of some pages only, under conditions that may fail themselves.
//!
//! kernels: 7 (scan, sort, reduce)
//! shapes: m (pages, h, w)
//! values: m 0..9
//! work: limit 3..4

accelerate! {
    pub fn greatest(m: &Cube<i32>, limit: i32) -> Matrix<i32> {
        m.outer().map(|page| {
            page.rows().map(|row| {
                if row[0] > 2 && 12 / row[0] < limit {
                    row.sort_by(|a, b| b.cmp(a))[0]
                } else {
                    row.sum()
                }
            })
        })
    }
}
