//! A foreign function in a loop, whose body fits its arguments in no round, in some, or in all.
//!
//! shapes: xs n, ys m
//! values: xs 0.0..2.0, ys 0.0..2.0, rounds 0..4, most 1.0..20.0
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::sum)]
    fn sum(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs + ys
    }

    pub fn foreign_shapes_in_loop(xs: &Vector<f32>, ys: &Vector<f32>, rounds: u32, most: f32) -> Vector<f32> {
        let mut zs = xs;
        for _ in 0..rounds {
            zs = sum(&zs, ys).filter(|z| z < most);
        }
        zs
    }
}
