//! A barrier keeps two kernels apart.
//!
//! kernels: 2 (elementwise, elementwise)
//! bytes: 16n
//! shapes: xs n

accelerate! {
    pub fn apart(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0).materialize().map(|x| x * 2.0)
    }
}
