//! What floats can be asked, of values of every kind.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n
//! values: xs -2.0..2.0, ys -2.0..2.0

accelerate! {
    pub fn asked(xs: &Vector<f32>, ys: &Vector<f64>) -> Vector<(bool, bool, bool, bool, f32, f64)> {
        xs.zip(ys).map(|(x, y)| {
            let (odd, even) = (x / (x.trunc() * 0.0), (y * y - 3.0).sqrt());
            let ends = (odd.is_nan(), odd.is_infinite() || even.is_nan(), even.is_finite(), even.is_sign_positive());
            (ends.0, ends.1, ends.2, ends.3, if odd.is_normal() { odd } else { x }, y.max(even) - f64::MAX_EXP as f64)
        })
    }
}
