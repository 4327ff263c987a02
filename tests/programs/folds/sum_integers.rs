//! A sum that wraps.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 4
//! shapes: xs n

accelerate! {
    pub fn total(xs: &Vector<i32>) -> i32 {
        xs.sum()
    }
}
