//! A scan of a scan.
//!
//! kernels: 2 (scan, scan)
//! bytes: 16n
//! shapes: xs n

accelerate! {
    pub fn twice(xs: &Vector<u32>) -> Vector<u32> {
        xs.cumsum().map(|x| x ^ 1).cumsum()
    }
}
