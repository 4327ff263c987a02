//! Two arrays one after the other.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! shapes: xs n, ys k

accelerate! {
    pub fn joined(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0).concat(ys)
    }
}
