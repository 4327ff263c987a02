//! A reduction whose result every element needs.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 12n + 8
//! shapes: xs n

accelerate! {
    pub fn shares(xs: &Vector<f32>) -> Vector<f32> {
        let total = xs.sum();
        xs.map(|x| x / total)
    }
}
