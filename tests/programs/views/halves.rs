//! A butterfly: sums of the halves beside their differences.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! shapes: xs n

accelerate! {
    pub fn butterfly(xs: &Vector<f32>) -> Vector<f32> {
        let (left, right) = xs.halve();
        let right = right.take(left.len());
        left.zip_with(&right, |a, b| a + b).concat(&left.zip_with(&right, |a, b| a - b))
    }
}
