//! What stands before each element in its segment, and what the segments come to.
//!
//! shapes: at k, xs n
//! offsets: at n

accelerate! {
    pub fn before(at: &Vector<u32>, xs: &Vector<(i32, i32)>) -> (Vector<(i32, i32)>, Vector<(i32, i32)>) {
        xs.scan_exclusive_segmented(Offsets::new(&at), (1, 2), |(a, b), (c, d)| (a * c, b * c + d))
    }
}
