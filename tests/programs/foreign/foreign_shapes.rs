//! A foreign function whose body does not fit its arguments, told before it is called.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys m
//! values: xs -2.0..2.0, ys -2.0..2.0
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::sum)]
    fn sum(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        assert!(xs.len() < 1000, "at most 999 elements");
        xs + ys
    }

    pub fn foreign_shapes(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        sum(xs, ys)
    }
}
