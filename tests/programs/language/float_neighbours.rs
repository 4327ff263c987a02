//! The floats next to a float, halfway between two, and what kind they are of.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    use std::f32::consts::{FRAC_1_SQRT_2, PI as HALF_TURN};

    const TURN: f32 = 2.0 * HALF_TURN;

    pub fn near(xs: &Vector<f32>, ys: &Vector<f64>) -> Vector<(f32, f64, f64, bool, bool)> {
        xs.zip(ys).map(|(x, y)| {
            let turned = (x * FRAC_1_SQRT_2).rem_euclid(TURN);
            let tiny = x * f32::MIN_POSITIVE / 16.0;
            (turned.next_up(), y.next_down(), y.midpoint(x as f64), tiny.is_subnormal(), y.is_normal())
        })
    }
}
