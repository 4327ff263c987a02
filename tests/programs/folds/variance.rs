//! Two passes: the second needs the result of the first.
//!
//! kernels: 2 (reduce, reduce)
//! bytes: 16n + 24
//! shapes: xs n

accelerate! {
    pub fn variance(xs: &Vector<f64>) -> f64 {
        let mean = xs.mean();
        xs.map(|x| (x - mean) * (x - mean)).sum() / xs.len() as f64
    }
}
