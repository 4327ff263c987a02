//! A few of the greatest, of a number that is known: one fold of so many at once. Fewer elements fail.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 4n + 60
//! shapes: xs n

accelerate! {
    pub fn greatest(xs: &Vector<f32>) -> Vector<f32> {
        xs.top_k(5)
    }
}
