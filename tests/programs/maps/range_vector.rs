//! A range used as a vector.
//!
//! kernels: 1 (reduce)
//! values: a 0..50, b 0..5000

accelerate! {
    pub fn sum_of_range(a: i64, b: i64) -> i64 {
        (a..b).map(|i| i * i - 3).sum()
    }
}
