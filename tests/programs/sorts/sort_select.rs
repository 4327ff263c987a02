//! One array in the order of another.
//!
//! kernels: 6 (sort, elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn ranked(xs: &Vector<f32>, ys: &Vector<i16>) -> Vector<i16> {
        ys.select(&xs.argsort())
    }
}
