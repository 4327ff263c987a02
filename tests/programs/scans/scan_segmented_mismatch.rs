//! Lengths that mostly do not add up to the axis.
//!
//! shapes: lengths s, xs n
//! values: lengths 0..3
//! work: fails

accelerate! {
    pub fn failing(lengths: &Vector<u32>, xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        let whole = xs.scan_segmented(&lengths, 0, |a, b| a + b);
        (xs.cumprod_segmented(&lengths), whole)
    }
}
