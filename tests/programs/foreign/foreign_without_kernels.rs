//! A foreign function that hands its argument on, for which there is no kernel, beside one whose result nothing needs.
//!
//! kernels: 0 ()
//! shapes: xs n
//! values: xs -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    #[foreign(rust = crate::foreign::copied)]
    fn copied(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }

    pub fn foreign_without_kernels(xs: &Vector<f32>) -> Vector<f32> {
        let _ = doubled(xs);
        copied(xs)
    }
}
