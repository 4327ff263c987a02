//! A foreign function whose body finds the number of its elements, and one of as many as a filter leaves.
//!
//! shapes: xs n
//! values: xs -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::positive)]
    fn positive(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter(|x| x > 0.0)
    }

    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    pub fn foreign_of_filtered(xs: &Vector<f32>) -> (Vector<f32>, f32) {
        let some = positive(&xs.filter(|x| x < 1.0));
        (doubled(&some), some.sum())
    }
}
