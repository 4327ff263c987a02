//! Composition of affine maps: order matters.
//!
//! kernels: 1 (scan)
//! bytes: 16n
//! shapes: xs n
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn compose(xs: &Vector<(i32, i32)>) -> Vector<(i32, i32)> {
        xs.scan1(|(a, b), (c, d)| (a * c, b * c + d))
    }
}
