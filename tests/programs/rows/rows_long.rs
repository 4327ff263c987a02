//! Rows of any length have loops too: the host runs them over all rows at once.
//!
//! kernels: 1 (elementwise)
//! shapes: m (m, n)
//! values: rounds 0..4

accelerate! {
    pub fn rows_long(m: &Matrix<i32>, rounds: u32) -> Matrix<i32> {
        m.rows().map(|row| {
            let mut row = row;
            for round in 0..rounds {
                row = row.map_indexed(|i, x| x + row[i / 2] + round as i32);
            }
            row
        })
    }
}
