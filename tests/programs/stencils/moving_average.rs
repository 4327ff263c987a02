//! A weighted window by index reads.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn smooth(xs: &Vector<f32>) -> Vector<f32> {
        let n = xs.len();
        assert!(n >= 3, "at least three points");
        generate(n - 2, |i| (xs[i] + 2.0 * xs[i + 1] + xs[i + 2]) / 4.0)
    }
}
