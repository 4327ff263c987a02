//! What decides a branch is needed in it, too: folded once.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 12n + 17
//! shapes: xs n
//! values: xs -9.0..9.0

accelerate! {
    pub fn rescaled(xs: &Vector<f32>) -> Vector<f32> {
        let (low, high) = (xs.min(), xs.max());
        if low == high {
            return fill(xs.len(), 0.0);
        }
        xs.map(|x| (x - low) / (high - low))
    }
}
