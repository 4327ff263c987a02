//! Prefix sums in `f32`, each rounded; and a scan by a closure.
//!
//! kernels: 1 (scan)
//! shapes: xs n
//! values: xs 0..2

accelerate! {
    pub fn half_scans(xs: &Vector<f16>) -> (Vector<f16>, Vector<f16>, Vector<f16>, Vector<f16>) {
        (xs.cumsum(), xs.cumprod(), xs.cummax(), xs.scan1(|a, x| a.min(x)))
    }
}
