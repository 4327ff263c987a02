//! The rows of an array of rank 3, and where their elements were.
//!
//! kernels: 6 (sort, sort)
//! shapes: xs (a, b, c)

accelerate! {
    pub fn lines(xs: &Cube<i16>) -> (Cube<i16>, Cube<usize>) {
        (xs.sort(), xs.argsort())
    }
}
