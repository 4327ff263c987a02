//! Where the greatest of each segment is, counted from its start; empty ones fail.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n
//! work: fails

accelerate! {
    pub fn greatest(lengths: &Vector<u16>, xs: &Vector<f32>) -> Vector<usize> {
        xs.argmax_segmented(&lengths)
    }
}
