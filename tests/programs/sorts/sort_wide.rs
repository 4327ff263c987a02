//! Large elements stay where they are until their order is known.
//!
//! kernels: 3 (sort, elementwise)
//! shapes: xs n, ys n
//! values: xs 0..9

accelerate! {
    pub fn wide(xs: &Vector<(u8, f64, f64, f32)>, ys: &Vector<u8>) -> Vector<((u8, f64, f64, f32), u8)> {
        xs.zip(ys).sort_by_key(|(x, _)| x.0)
    }
}
