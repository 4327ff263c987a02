//! Shares of the row that lie before each element: a fold and a scan.
//!
//! kernels: 1 (scan)
//! bytes: 8m n
//! shapes: m (m, n)
//! values: m 1..9

accelerate! {
    pub fn shares(m: &Matrix<u32>) -> Matrix<u32> {
        m.rows().map(|row| {
            let total = row.sum();
            row.cumsum().map(|x| x * 100 / total)
        })
    }
}
