//! A producer with two consumers of one domain is read once.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n

accelerate! {
    pub fn both(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        let y = xs.map(|x| x * 3.0 + 1.0);
        (y.map(|v| v * v), y.map(|v| v - 2.0))
    }
}
