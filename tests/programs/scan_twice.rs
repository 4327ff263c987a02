//! A scan of a scan.
//!
//! shapes: xs n

accelerate! {
    pub fn twice(xs: &Vector<u32>) -> Vector<u32> {
        xs.cumsum().map(|x| x ^ 1).cumsum()
    }
}
