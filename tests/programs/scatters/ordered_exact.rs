//! What is exact in every order is combined in any.
//!
//! kernels: 3 (scatter, elementwise, scatter)
//! shapes: keys n, xs n
//! values: keys 0..10

accelerate! {
    #[deterministic]
    pub fn exact(keys: &Vector<u32>, xs: &Vector<f32>) -> (Vector<u32>, Vector<(f32, i64)>) {
        let extremes = keys.reduce_by_index(xs.map(|x| (x, x as i64)), 10, (f32::INFINITY, 0), |a, x| {
            (a.0.min(x.0), a.1 + x.1)
        });
        (keys.histogram(10), extremes)
    }
}
