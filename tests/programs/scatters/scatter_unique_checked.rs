//! Each target at most once, which is checked: a bit for each.
//!
//! kernels: 1 (scatter)
//! shapes: keys n, xs n
//! values: keys 0..40000

accelerate! {
    pub fn placed(keys: &Vector<u32>, xs: &Vector<f32>) -> Vector<(f32, u32)> {
        fill(40000, (0.0, 0)).scatter_unique(
            xs.zip(keys),
            |_, (_, key)| Some(key as usize),
        )
    }
}
