//! A read that is in bounds only where the outer domain is not empty stays guarded when its reduction is lifted out.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: xs n

accelerate! {
    pub fn read_of_empty(xs: &Vector<f32>, n: usize) -> Vector<f32> {
        xs.map(|x| x + generate(n, |k| xs[xs.len() - 1] * k as f32).sum())
    }
}
