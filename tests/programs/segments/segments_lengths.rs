//! Sums of segments given by their lengths, in bytes: empty ones anywhere.
//!
//! kernels: 2 (scan, reduce)
//! bytes: 4n + 21s + 16
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn sums(lengths: &Vector<u8>, xs: &Vector<i32>) -> Vector<i32> {
        xs.sum_segmented(&lengths)
    }
}
