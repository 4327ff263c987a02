//! A constant array.
//!
//! kernels: 1 (elementwise)
//! bytes: 4n
//! values: n 0..2000

accelerate! {
    pub fn fill_with(n: usize, value: f32) -> Vector<f32> {
        fill(n, value)
    }
}
