//! Whether rows are in order.
//!
//! kernels: 2
//! shapes: xs n, m (h, w)
//! values: m 0..2

accelerate! {
    pub fn in_order(xs: &Vector<f32>, m: &Matrix<(u8, bool)>) -> (bool, Vector<bool>) {
        (xs.is_sorted(), m.is_sorted())
    }
}
