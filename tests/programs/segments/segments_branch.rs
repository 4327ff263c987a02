//! Only the branch taken looks at its segments.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn chosen(lengths: &Vector<u32>, xs: &Vector<i32>, by: bool) -> Vector<i32> {
        if by {
            xs.sum_segmented(&lengths)
        } else {
            lengths.map(|n| n as i32)
        }
    }
}
