//! What comes before a filter and after it is computed in its kernel; tuples are filtered as one.
//!
//! kernels: 1 (scan)
//! bytes: 25n + 8
//! shapes: xs n, ys n
//! values: xs -9.0..9.0, ys -50..50

accelerate! {
    pub fn ratios(xs: &Vector<f32>, ys: &Vector<i64>) -> Vector<(f32, i64, bool)> {
        xs.map(|x| x * 0.5)
            .zip(ys)
            .filter(|(x, y)| x as i64 != y && y % 3 != 0)
            .map(|(x, y)| (x - 1.0, 100 / (y % 3), x < 0.0))
    }
}
