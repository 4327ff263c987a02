//! Downwards by the second field, then upwards by the first; the third one shows that equal elements keep their order.
//!
//! kernels: 3 (sort)
//! bytes: 52n
//! shapes: xs n
//! values: xs.0 -3..3, xs.1 0..4

accelerate! {
    pub fn compared(xs: &Vector<(i64, u32, u8)>) -> Vector<(i64, u32, u8)> {
        xs.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)))
    }
}
