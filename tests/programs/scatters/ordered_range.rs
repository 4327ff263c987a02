//! A target out of range fails as that of any scatter does, and so does an element.
//!
//! kernels: 12 (reduce, sort, elementwise, scatter)
//! shapes: defaults (a, b), keys (h, w)
//! values: keys 0..14
//! work: keys 0..12

accelerate! {
    #[deterministic]
    pub fn far(defaults: &Matrix<f32>, keys: &Matrix<u8>) -> Matrix<f32> {
        let thirds = keys.map(|key| { assert!(key != 12, "no twelve"); key as f32 / 3.0 });
        defaults.scatter(|a, b| a + b, thirds, |(i, j), third| {
            if third < 4.2 { None } else { Some((i % 3, j)) }
        })
    }
}
