//! Alternating elements of three leaves, as they lie in memory: a point stores one of each array.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 52n
//! shapes: xs n, ys n

accelerate! {
    pub fn interleaved(xs: &Vector<(f32, u8, f64)>, ys: &Vector<(f32, u8, f64)>) -> Vector<(f32, u8, f64)> {
        xs.map(|(a, b, c)| (a + 1.0, b, c)).interleave(ys)
    }
}
