//! One result more than elements in each segment, empty ones too; from either side.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn both(lengths: &Vector<u64>, xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        (
            xs.scan_segmented(&lengths, 7, |a, x| a + x),
            xs.rscan_segmented(&lengths, 7, |x, a| x + a),
        )
    }
}
