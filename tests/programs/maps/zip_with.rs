//! Elementwise by a closure of two arguments.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n, ys n

accelerate! {
    pub fn hypotenuse(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip_with(ys, |x, y| (x * x + y * y).sqrt())
    }
}
