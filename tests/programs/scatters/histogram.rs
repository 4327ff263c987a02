//! Counts: one kernel, of which each block has its own if there are few.
//!
//! kernels: 1 (scatter)
//! bytes: n + 3072
//! shapes: xs n

accelerate! {
    pub fn histogram(xs: &Vector<u8>) -> Vector<u32> {
        xs.histogram(256)
    }
}
