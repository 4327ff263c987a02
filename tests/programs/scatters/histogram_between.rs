//! How many elements fall into each of so many intervals between the smallest and the largest: the interval of an element is computed
//! where it is counted.
//!
//! kernels: 2 (reduce, scatter)
//! shapes: xs n
//! values: xs -9.0..9.0, bins 1..9

accelerate! {
    pub fn counts(xs: &Vector<f32>, bins: usize) -> Vector<u32> {
        let (low, high) = (xs.min(), xs.max());
        xs.map(|x| (((x - low) / (high - low) * bins as f32) as usize).min(bins - 1))
            .histogram(bins)
    }
}
