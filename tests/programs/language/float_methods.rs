//! Exact methods of floats.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn rounded(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<(f32, f32, f32, f32)> {
        xs.zip(ys).map(|(x, y)| {
            let a = x.floor() + x.ceil() - x.round() + x.trunc() + x.fract();
            let b = x.min(y).max(-1.0).clamp(-2.0, 3.5).abs();
            let c = x.copysign(y) * x.signum() + x.recip();
            (a, b, c, x.mul_add(y, 1.0) + x.round_ties_even())
        })
    }
}
