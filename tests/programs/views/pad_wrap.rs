//! The last elements in front and the first ones behind.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: k 0..9

accelerate! {
    pub fn padded(xs: &Vector<f32>, k: usize) -> Vector<f32> {
        xs.map(|x| x + 0.5).pad(k, k + 1, Wrap).map(|x| x * 2.0)
    }
}
