//! A row's own loop, whose rounds its first element counts, and which may divide by zero: it is run once, not for each element
//! of the row.
//!
//! kernels: 1 (rowwise)
//! bytes: 8m n
//! shapes: m (m, n)
//! values: m 0..9
//! work: m 0..8

accelerate! {
    pub fn rows_looping(m: &Matrix<u32>) -> Matrix<u32> {
        m.rows().map(|row| {
            let mut s = 0_u32;
            for k in 0..row[0] {
                s = s.wrapping_mul(3) ^ (100 / (k + 8 - row[0]));
            }
            row.map(|x| x ^ s)
        })
    }
}
