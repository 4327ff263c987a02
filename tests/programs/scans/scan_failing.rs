//! An element that fails, and reads zero.
//!
//! kernels: 1 (scan)
//! bytes: 8n
//! shapes: xs n
//! values: xs 0..4
//! work: xs 1..4

accelerate! {
    pub fn quotients(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| 12 / x).cumsum()
    }
}
