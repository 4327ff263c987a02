//! Counts of some rows only, which fail in those only.
//!
//! kernels: 2 (scatter, elementwise)
//! shapes: m (h, w)
//! values: m 0..17
//! work: m 0..16

accelerate! {
    pub fn fives(m: &Matrix<u8>) -> Vector<u32> {
        m.rows().map(|row| if row[0] > 4 { row.histogram(16)[5] } else { 0 })
    }
}
