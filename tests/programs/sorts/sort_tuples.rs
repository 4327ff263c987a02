//! Tuples in lexicographic order.
//!
//! kernels: 9 (sort)
//! shapes: xs n
//! values: xs -3..3

accelerate! {
    pub fn tuples(xs: &Vector<(i16, (bool, f32), u8)>) -> Vector<(i16, (bool, f32), u8)> {
        xs.sort()
    }
}
