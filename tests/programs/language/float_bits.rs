//! Floats as bits and back.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn next_up(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| f32::from_bits(x.abs().to_bits() + 1))
    }
}
