//! The first of equals.
//!
//! kernels: 1 (reduce)
//! shapes: xs n
//! values: xs -9..9

accelerate! {
    pub fn places(xs: &Vector<i32>) -> (usize, usize) {
        (xs.argmin(), xs.argmax())
    }
}
