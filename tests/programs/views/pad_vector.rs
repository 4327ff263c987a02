//! A constant at both ends of a vector.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 8n + 20
//! shapes: xs n

accelerate! {
    pub fn padded(xs: &Vector<u32>) -> Vector<u32> {
        xs.pad(2, 3, Constant(7)).map(|x| x + 1)
    }
}
