//! Offsets that are computed, and some of which are wrong: one in the middle, or the last one, too large or too small.
//!
//! kernels: 1 (reduce)
//! shapes: at k, xs n
//! offsets: at n
//! values: wrong 0..8

accelerate! {
    pub fn shifted(wrong: u32, at: &Vector<u32>, xs: &Vector<i32>) -> Vector<i32> {
        let last = at.len();
        let offsets = at.map_indexed(|i, o| {
            if wrong == 1 && i == 3 {
                o + 2
            } else if wrong == 2 && i + 1 == last {
                o + 5
            } else if wrong == 3 && i + 1 == last {
                o.max(1) - 1
            } else {
                o
            }
        });
        xs.map(|x| 3 * x).sum_segmented(Offsets::new(&offsets))
    }
}
