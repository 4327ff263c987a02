//! A reduction of the middle axis of a cube.
//!
//! kernels: 1 (reduce)
//! bytes: 4l m n + 4l n
//! shapes: c (l, m, n)

accelerate! {
    pub fn middle(c: &Cube<i32>) -> Matrix<i32> {
        c.sum_axis(1)
    }
}
