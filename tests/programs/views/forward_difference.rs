//! `d[i] = x[i + 1] - x[i]`.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn differences(xs: &Vector<f32>) -> Vector<f32> {
        xs.tail().zip(xs.init()).map(|(next, x)| next - x)
    }
}
