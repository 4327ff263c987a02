//! Everything about the same segments in one kernel.
//!
//! kernels: 1 (reduce)
//! shapes: at k, xs n
//! offsets: at n

accelerate! {
    pub fn summary(at: &Vector<u32>, xs: &Vector<i32>) -> (Vector<(i32, i32)>, Vector<bool>, Vector<bool>) {
        let segments = Offsets::new(&at);
        let sums = xs.sum_segmented(segments);
        let squares = xs.map(|x| x * x).sum_segmented(segments);
        let positive = xs.map(|x| x > 0);
        (zip((sums, squares)), positive.all_segmented(segments), positive.any_segmented(segments))
    }
}
