//! A scan of segments that may fail, before other elements.
//!
//! shapes: xs n, at m, lengths k
//! values: at 0..40
//! lengths: lengths m
//! work: at 0..n

accelerate! {
    pub fn joined(xs: &Vector<u32>, at: &Vector<usize>, lengths: &Vector<u32>) -> Vector<u32> {
        xs.select(at).cumsum_segmented(lengths).concat(xs)
    }
}
