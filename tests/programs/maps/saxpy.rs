//! A scalar parameter in an elementwise kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n, ys n

accelerate! {
    pub fn saxpy(a: f32, xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip(ys).map(|(x, y)| a * x + y)
    }
}
