//! Flags start new sums: a segmented scan by a lifted operator.
//!
//! kernels: 1 (scan)
//! bytes: 9n
//! shapes: xs n

accelerate! {
    pub fn restarted(xs: &Vector<(bool, i32)>) -> Vector<i32> {
        xs.scan1(|(f, a), (g, b)| (f || g, if g { b } else { a + b })).map(|(_, x)| x)
    }
}
