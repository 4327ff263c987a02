//! Each leaf by its own operator: atomically, one after the other.
//!
//! kernels: 2 (elementwise, scatter)
//! shapes: keys n, xs n
//! values: keys 0..10

accelerate! {
    pub fn extremes(keys: &Vector<u32>, xs: &Vector<f32>) -> Vector<(f32, f32, i64)> {
        keys.reduce_by_index(
            xs.map(|x| (x, x, x as i64)),
            10,
            (f32::INFINITY, f32::NEG_INFINITY, 1),
            |a, x| (a.0.min(x.0), a.1.max(x.1), a.2 * x.2),
        )
    }
}
