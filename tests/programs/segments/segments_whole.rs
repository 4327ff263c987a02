//! One segment is the whole, segments of one are the elements.
//!
//! shapes: xs n

accelerate! {
    pub fn whole(xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        let one = xs.sum_segmented(&fill(1, xs.len()));
        assert!(one[0] == xs.sum(), "one segment");
        let each = xs.sum_segmented(&fill(xs.len(), 1usize));
        assert!(each.zip_with(&xs, |a, b| a == b).all(), "segments of one");
        (one, each)
    }
}
