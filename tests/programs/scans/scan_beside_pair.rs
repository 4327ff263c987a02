//! Running sums of a row beside folds with a larger state: a tile has room for the one, slots for the other.
//!
//! kernels: 1 (scan)
//! bytes: 16m n
//! shapes: m (m, n)

accelerate! {
    pub fn beside(m: &Matrix<u64>) -> Matrix<u64> {
        m.rows().map(|row| {
            let (a, (b, c)) = row.map(|x| (x, (x ^ 1, 3 * x))).fold((0, (1, 2)), |(a, (b, c)), (x, (y, z))| (a + x, (b ^ y, c | z)));
            row.cumsum().map(|x| x + a * b ^ c)
        })
    }
}
