//! A state beyond 16 bytes: sum, sum of squares and count.
//!
//! kernels: 1 (scan)
//! bytes: 32n
//! shapes: xs n

accelerate! {
    pub fn moments(xs: &Vector<i64>) -> Vector<(i64, i64, u64)> {
        xs.map(|x| (x, x * x, 1)).scan1(|(a, b, c), (d, e, f)| (a + d, b + e, c + f))
    }
}
