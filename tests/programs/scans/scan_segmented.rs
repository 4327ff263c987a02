//! Running sums that start anew with each segment.
//!
//! kernels: 3 (scan, scatter, scan)
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn running(lengths: &Vector<u32>, xs: &Vector<i32>) -> Vector<i32> {
        xs.scan1_segmented(&lengths, |a, b| a + b)
    }
}
