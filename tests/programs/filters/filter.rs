//! The elements that a condition keeps.
//!
//! kernels: 1 (scan)
//! bytes: 8n + 8
//! shapes: xs n
//! values: xs -50..50

accelerate! {
    pub fn positive(xs: &Vector<i32>) -> Vector<i32> {
        xs.filter(|x| x > 0)
    }
}
