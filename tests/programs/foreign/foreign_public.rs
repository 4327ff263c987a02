//! A public foreign function.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n
//! values: xs -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::doubled)]
    pub fn foreign_public(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }
}
