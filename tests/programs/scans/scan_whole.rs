//! One result more than elements; the squares are computed inside.
//!
//! kernels: 1 (scan)
//! bytes: 16n + 8
//! shapes: xs n

accelerate! {
    pub fn whole(xs: &Vector<i64>) -> Vector<i64> {
        xs.scan(17, |a, x| a + x * x)
    }
}
