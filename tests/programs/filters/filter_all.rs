//! Everything is kept, and nothing.
//!
//! kernels: 1 (scan)
//! bytes: 12n + 16
//! shapes: xs n
//! values: xs -50.0..50.0

accelerate! {
    pub fn all(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.filter(|x| x < 100.0), xs.filter(|x| x > 100.0))
    }
}
