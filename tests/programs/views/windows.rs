//! The largest of each window of k elements.
//!
//! kernels: 1 (reduce)
//! shapes: xs n
//! values: k 1..6

accelerate! {
    pub fn largest(xs: &Vector<i32>, k: usize) -> Vector<i32> {
        xs.map(|x| x / 2).windows(k).map(|w| w.max() - w[0])
    }
}
