//! A scan that may fail, of which some elements are kept: it is done once if there are any.
//!
//! shapes: xs n, at m, keep m
//! values: at 0..40
//! work: at 0..n

accelerate! {
    pub fn kept(xs: &Vector<u32>, at: &Vector<usize>, keep: &Vector<bool>) -> Vector<u32> {
        let sums = xs.select(at).cumsum();
        sums.zip(keep).filter_map(|(sum, keep)| if keep { Some(sum) } else { None })
    }
}
