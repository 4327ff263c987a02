//! A map, a sum and an epilogue in one kernel.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 4
//! shapes: xs n, ys n

accelerate! {
    pub fn rmse(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        let squares = xs.zip(ys).map(|(x, y)| (x - y) * (x - y));
        (squares.sum() / xs.len() as f32).sqrt()
    }
}
