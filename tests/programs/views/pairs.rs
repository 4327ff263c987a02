//! Neighbours as tuples; an odd length is an error.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn differences(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x * 3).pairs().map(|(a, b)| b - a)
    }
}
