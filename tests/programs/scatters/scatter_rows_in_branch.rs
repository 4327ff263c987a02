//! Scatters for some rows only are done for all, where they cannot fail.
//!
//! kernels: 2 (scatter, elementwise)
//! shapes: m (h, w)

accelerate! {
    pub fn modes(m: &Matrix<u8>) -> Vector<usize> {
        m.rows().map(|row| {
            if row.len() > 2 && row[0] > 9 {
                row.map(|x| x % 8).histogram(8).argmax()
            } else {
                9
            }
        })
    }
}
