//! Contracts that hold: kernels, launches, checks, atomics, and bytes as an upper bound in the parameters' shapes.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 4
//! shapes: xs n, ys n

accelerate! {
    #[fused(kernels = 1, launches = 1, checks = 0, atomics = 0)]
    #[fused(bytes = 4 * xs.len() + 4 * ys.len() + 4)]
    pub fn distance(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        xs.zip(ys).map(|(x, y)| (x - y) * (x - y)).sum()
    }
}
