//! A filter of a filter is one.
//!
//! kernels: 1 (scan)
//! bytes: 8n + 8
//! shapes: xs n
//! values: xs 0..100

accelerate! {
    pub fn both(xs: &Vector<u32>) -> Vector<u32> {
        xs.filter(|x| x % 2 == 0).map(|x| x / 2).filter(|x| x % 3 != 0).map(|x| x + 1)
    }
}
