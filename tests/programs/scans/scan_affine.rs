//! Composition of affine maps: order matters.
//!
//! kernels: 1 (scan)
//! bytes: 16n
//! shapes: xs n

accelerate! {
    pub fn compose(xs: &Vector<(i32, i32)>) -> Vector<(i32, i32)> {
        xs.scan1(|(a, b), (c, d)| (a * c, b * c + d))
    }
}
