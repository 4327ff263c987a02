//! From the left and from the right in one kernel.
//!
//! kernels: 1 (scan)
//! bytes: 12n
//! shapes: xs n

accelerate! {
    pub fn both_ways(xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        (xs.cumsum(), xs.rscan1(|a, b| a.max(b)))
    }
}
