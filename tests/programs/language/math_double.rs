//! The mathematical functions in f64.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0.1..3.0

accelerate! {
    pub fn math(xs: &Vector<f64>) -> Vector<(f64, f64, f64)> {
        xs.map(|x| (x.exp() + x.ln_1p(), x.sin() - x.acosh().min(9.0), erf(x) + x.hypot(1.5)))
    }
}
