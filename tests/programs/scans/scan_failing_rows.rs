//! Scans of rows that may fail, each demanded by some elements of its row, or by none: one kernel, as if nothing failed.
//!
//! kernels: 1 (scan)
//! bytes: 8m n + 4n
//! shapes: m (m, n), ys n
//! values: m 0..9, ys 0..30
//! work: ys 1..30

accelerate! {
    pub fn chosen(m: &Matrix<u32>, ys: &Vector<u32>) -> Matrix<u32> {
        m.rows().map(|row| {
            let sums = row.zip(ys).map(|(x, y)| x / y).cumsum();
            row.zip(sums).map(|(x, sum)| if x > 6 { sum } else { x })
        })
    }
}
