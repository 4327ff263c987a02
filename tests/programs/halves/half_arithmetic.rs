//! Arithmetic, functions and comparisons of floats of 16 bits: in `f32`, rounded once each.
//!
//! kernels: 1 (elementwise)
//! bytes: 7n
//! shapes: xs n, ys n

accelerate! {
    pub fn half_arithmetic(xs: &Vector<f16>, ys: &Vector<f16>, k: f16) -> Vector<(f16, bool)> {
        xs.zip(ys).map(|(x, y)| {
            let z = (x * y + k) / (y.abs() + 0.5);
            let w = z.sqrt().max(x - y).min(f16::MAX).mul_add(x, -y);
            (w + x.exp().sigmoid() - (x % 0.75).floor(), x.to_f32() < y.to_f32() || w == f16::NEG_ONE)
        })
    }
}
