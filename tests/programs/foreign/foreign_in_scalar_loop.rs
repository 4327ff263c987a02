//! Foreign functions in loops that have scalars alone for their state, of what a round knows, and elements of the results.
//!
//! shapes: xs n
//! values: xs -2.0..2.0, rounds 0..5

accelerate! {
    #[foreign(rust = crate::foreign::scaled)]
    fn scaled(xs: &Vector<f32>, by: f32, shift: (i32, bool), count: usize) -> Vector<f32> {
        let (by_how_much, up) = shift;
        let shift = if up { by_how_much } else { -by_how_much };
        xs.map(|x| x * by + (shift as i64 + count as i64) as f32)
    }

    pub fn foreign_in_scalar_loop(xs: &Vector<f32>, rounds: u32) -> (f32, f32) {
        let mut sum = 0.0;
        let mut first = 1.0;
        for round in 0..rounds {
            sum += scaled(&xs.map(|x| x + round as f32), 0.5, (round as i32, round > 2), xs.len()).sum();
            first = match scaled(xs, first, (1, true), 2).get(0) {
                Some(x) => 0.5 * x,
                None => first,
            };
        }
        (sum, first)
    }
}
