//! A foreign function in a branch, whose body does not fit its arguments.
//!
//! shapes: xs n, ys m
//! values: xs -2.0..2.0, ys -2.0..2.0, least 0..5
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::sum)]
    fn sum(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        assert!(xs.len() < 1000, "at most 999 elements");
        xs + ys
    }

    pub fn foreign_shapes_in_branch(xs: &Vector<f32>, ys: &Vector<f32>, least: usize) -> Vector<f32> {
        if xs.len() > least { sum(xs, ys) } else { xs }
    }
}
