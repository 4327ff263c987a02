//! An index that leaves the array: an error with both numbers.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, at n
//! values: at 0..34
//! work: at 0..n

accelerate! {
    pub fn read(xs: &Vector<i32>, at: &Vector<usize>) -> Vector<i32> {
        at.map(|i| xs[i] + 1)
    }
}
