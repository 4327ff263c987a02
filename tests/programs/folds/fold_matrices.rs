//! A fold of 2x2 integer matrices: order matters.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    pub fn product(xs: &Vector<(u32, u32, u32, u32)>) -> (u32, u32, u32, u32) {
        xs.fold((1, 0, 0, 1), |(a, b, c, d), (e, f, g, h)| {
            (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
        })
    }
}
