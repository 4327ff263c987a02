//! Flags start new sums: a segmented scan by a lifted operator.
//!
//! kernels: 1 (scan)
//! bytes: 9n
//! shapes: xs n
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn restarted(xs: &Vector<(bool, i32)>) -> Vector<i32> {
        xs.scan1(|(f, a), (g, b)| (f || g, if g { b } else { a + b })).map(|(_, x)| x)
    }
}
