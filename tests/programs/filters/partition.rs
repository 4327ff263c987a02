//! The elements for which a condition holds, and the others, in one kernel.
//!
//! kernels: 1 (scan)
//! bytes: 14n + 16
//! shapes: xs n
//! values: xs -50..50

accelerate! {
    pub fn signs(xs: &Vector<(i32, i8)>) -> (Vector<(i32, i8)>, Vector<i32>) {
        let (a, b) = xs.partition(|(x, y)| x < 0 || y == 0);
        (a, b.map(|(x, _)| x))
    }
}
