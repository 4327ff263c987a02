//! A foreign function of a scalar parameter, and of elements under a condition.
//!
//! shapes: xs n
//! values: xs -2.0..2.0, y -1.0..1.0

accelerate! {
    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn squashed(x: f32, y: f32) -> f32 {
        let t = x * x * 2.0 + y;
        t / (1.0 + t.abs())
    }

    pub fn of_host(xs: &Vector<f32>, y: f32) -> (Vector<f32>, f32) {
        let at = squashed(y, 0.5);
        (xs.map(|x| if x < at { squashed(x, at) } else { at }), at)
    }
}
