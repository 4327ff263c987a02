//! Comparisons of keys, upwards and downwards: sorts by digits. The last field shows that equal ones keep their order.
//!
//! kernels: 12 (sort, sort)
//! shapes: xs n, pairs n
//! values: pairs.0 -3..3

accelerate! {
    pub fn compared(xs: &Vector<f32>, pairs: &Vector<(i16, f32, u8)>) -> (Vector<f32>, Vector<(i16, f32, u8)>) {
        (xs.sort_by(f32::total_cmp), pairs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.total_cmp(&b.1))))
    }
}
