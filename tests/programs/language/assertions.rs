//! A condition every element must meet.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs -1.0..40.0
//! work: xs 0.0..40.0

accelerate! {
    pub fn roots(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            assert!(x >= 0.0, "no root of a negative number");
            x.sqrt()
        })
    }
}
