//! Three arrays of different types and windows.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ks n, on n

accelerate! {
    pub fn mixed(xs: &Vector<f64>, ks: &Vector<i32>, on: &Vector<bool>) -> Vector<f64> {
        xs.stencil3(Clamp, ks, Wrap, on, Constant(true), |x, k, b| {
            if b[-1] && b[1] { x[2] + k[-3] as f64 } else { x[-1] }
        })
    }
}
