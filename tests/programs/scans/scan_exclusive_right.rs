//! What lies behind each element.
//!
//! kernels: 1 (scan)
//! bytes: 16n + 8
//! shapes: xs n

accelerate! {
    pub fn behind(xs: &Vector<(u32, u32)>) -> (Vector<(u32, u32)>, (u32, u32)) {
        xs.rscan_exclusive((1, 2), |(a, b), (c, d)| (a * c, b * c + d))
    }
}
