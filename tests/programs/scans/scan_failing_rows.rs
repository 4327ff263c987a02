//! Scans of rows that may fail, each asked for by some elements of its row, or by none.
//!
//! kernels: 2 (reduce, scan)
//! bytes: 12m n + 2m + 4n
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
