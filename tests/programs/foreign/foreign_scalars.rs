//! A foreign function with scalars among its parameters, one of them found on the device.
//!
//! shapes: xs n
//! values: xs -2.0..2.0, shift -9..9

accelerate! {
    #[foreign(rust = crate::foreign::scaled)]
    fn scaled(xs: &Vector<f32>, by: f32, shift: (i32, bool), count: usize) -> Vector<f32> {
        let (by_how_much, up) = shift;
        let shift = if up { by_how_much } else { -by_how_much };
        xs.map(|x| x * by + (shift as i64 + count as i64) as f32)
    }

    pub fn foreign_scalars(xs: &Vector<f32>, shift: i32) -> Vector<f32> {
        let by = xs.map(f32::abs).fold(0.0, f32::max);
        scaled(xs, by, (shift, shift < 3), xs.len())
    }
}
