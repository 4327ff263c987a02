//! A target out of range is an error, whatever else is written.
//!
//! kernels: 1 (scatter)
//! shapes: defaults (a, b), keys (h, w)
//! values: keys 0..14
//! work: keys 0..13

accelerate! {
    pub fn far(defaults: &Matrix<u16>, keys: &Matrix<u8>) -> Matrix<u16> {
        defaults.scatter(|a, b| a + b as u16, keys, |(i, j), key| {
            if key < 13 { None } else { Some((i % 3, j)) }
        })
    }
}
