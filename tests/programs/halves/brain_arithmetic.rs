//! Methods of `bf16` that are made of several operations are rounded once, at the end.
//!
//! kernels: 1 (elementwise)
//! bytes: 6n
//! shapes: xs n

accelerate! {
    const HALF: bf16 = 0.5bf16;

    pub fn brain_arithmetic(xs: &Vector<bf16>) -> Vector<(bf16, bf16)> {
        xs.map(|x| {
            let y = x.clamp(-2.0, 3.0).fract().copysign(-x).powi(3) + x.signum() * HALF;
            (x.to_degrees().rem_euclid(7.0).midpoint(y), y.tanh() - x.round().recip())
        })
    }
}
