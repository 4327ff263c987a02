//! Sums, products, means and extremes of floats of 16 bits: in `f32`, rounded at the end.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 12
//! shapes: xs n, ys n
//! values: xs 0..2, ys 0..2

accelerate! {
    pub fn half_reductions(xs: &Vector<f16>, ys: &Vector<f16>) -> (f16, f16, f16, f16, f16, f16) {
        (xs.sum(), xs.dot(ys), xs.mean(), xs.map(|x| x + 1.0).max(), ys.min(), xs.map(|x| x + 0.5_f16).product())
    }
}
