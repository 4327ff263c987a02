//! An accumulator that maps its operand.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 8
//! shapes: xs n

accelerate! {
    pub fn squares(xs: &Vector<f32>) -> f64 {
        xs.fold(0.0, |acc, x| acc + (x as f64) * (x as f64))
    }
}
