//! The initial value enters exactly once.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    pub fn from_seventeen(xs: &Vector<i64>) -> i64 {
        xs.fold(17, |a, x| a + x)
    }
}
