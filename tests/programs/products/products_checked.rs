//! Products of gathered elements: the tiles of a block report a bounds check that fails, as a dot product by itself does.
//!
//! kernels: 1 (reduce)
//! shapes: a (n, k), at k, w (m, l)
//! values: at 0..l, limit 0..9
//! sizes: n 13 k 9 m 33 l 9, n 100 k 8 m 600 l 2, n 6 k 131 m 32 l 50, n 7 k 8 m 40 l 0

accelerate! {
    pub fn checked(limit: u32, a: &Matrix<i32>, at: &Vector<u32>, w: &Matrix<i32>) -> Vector<i32> {
        a.rows().map(|row| {
            let largest = w.rows().map(|line| {
                row.zip_with(at, |x, k| x.wrapping_mul(line[(k + limit / 7) as usize])).sum()
            });
            largest.max()
        })
    }
}
