//! Offsets that mostly do not ascend from 0 to the length of the axis.
//!
//! shapes: at k, xs n
//! values: at 0..9
//! work: fails

accelerate! {
    pub fn failing(at: &Vector<i32>, xs: &Vector<i32>) -> Vector<i32> {
        let n = xs.len();
        let k = at.len();
        let offsets = at.map_indexed(|i, o| if i == 0 { 0 } else if i + 1 == k { n } else { o as usize });
        xs.sum_segmented(Offsets::new(&offsets))
    }
}
