//! The first and the last of each segment are folds too.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn ends(lengths: &Vector<u64>, xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        // One more in front and behind, so that no segment is empty.
        let n = xs.len();
        let longer = lengths.map_indexed(|k, n| if k == 0 { n + 2 } else { n + 1 });
        let total = n + lengths.len() + 1;
        let shown = generate(total, |i| if i < n { xs[i] } else { i as i32 });
        (shown.fold1_segmented(&longer, |a, _| a), shown.fold1_segmented(longer, |_, b| b))
    }
}
