//! The mathematical functions in f32.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0.1..3.0

accelerate! {
    pub fn math(xs: &Vector<f32>) -> Vector<(f32, f32, f32, f32)> {
        xs.map(|x| {
            (x.exp() + x.ln(), x.sin() * x.cos() + x.tanh(), x.powf(1.7) + x.cbrt(), x.atan2(2.0) + x.exp2().log2())
        })
    }
}
