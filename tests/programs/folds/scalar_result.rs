//! An array of rank 0 is where its element is folded.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 8
//! shapes: xs n
//! values: xs -9.0..9.0

accelerate! {
    pub fn spread(xs: &Vector<f32>) -> Scalar<(f32, f32)> {
        generate((), |_| (xs.sum(), xs.max()))
    }
}
