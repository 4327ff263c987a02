//! The dot product: the products are never stored.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 4
//! shapes: xs n, ys n

accelerate! {
    pub fn dotp(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        xs.zip(ys).map(|(x, y)| x * y).sum()
    }
}
