//! Helpers, constants and generic helpers.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    const WEIGHTS: (f32, f32) = (0.25, 0.75);
    const ROUNDS: i32 = 3;

    fn square<T: Number>(x: T) -> T {
        x * x
    }

    fn repeated(x: f32) -> f32 {
        let mut y = x;
        for _ in 0..ROUNDS {
            y = y * WEIGHTS.0 + WEIGHTS.1;
        }
        y
    }

    pub fn mix(xs: &Vector<f32>, ys: &Vector<i64>) -> Vector<(f32, i64)> {
        xs.zip(ys).map(|(x, y)| (repeated(square(x)), square(y)))
    }
}
