//! A foreign function of which some elements are read.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: xs n, at m
//! values: xs -2.0..2.0, at 0..100

accelerate! {
    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    pub fn foreign_read(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> {
        let twice = doubled(xs);
        at.map(|i| if i < twice.len() { twice[i] } else { -1.0 })
    }
}
