//! What lies behind each element.
//!
//! shapes: xs n
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn behind(xs: &Vector<(u32, u32)>) -> (Vector<(u32, u32)>, (u32, u32)) {
        xs.rscan_exclusive((1, 2), |(a, b), (c, d)| (a * c, b * c + d))
    }
}
