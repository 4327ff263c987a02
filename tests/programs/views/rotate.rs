//! Rotations both ways.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: k 0..50

accelerate! {
    pub fn rotated(xs: &Vector<i32>, k: usize) -> Vector<(i32, i32)> {
        xs.rotate_left(k).zip(xs.rotate_right(k))
    }
}
