//! What stands after each element in its segment, and what the segments come to from the right.
//!
//! shapes: at k, xs n
//! offsets: at n

accelerate! {
    pub fn after(at: &Vector<u32>, xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        xs.rscan_exclusive_segmented(Offsets::new(&at), 5, |_, b| b)
    }
}
