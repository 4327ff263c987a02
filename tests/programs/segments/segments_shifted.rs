//! Offsets that are computed, and some of which are wrong: one in the middle or the last one is too large, or all are
//! any numbers.
//!
//! kernels: 1 (reduce)
//! shapes: at k, any k, xs n
//! offsets: at n
//! values: wrong 0..8, any 0..n
//! sizes: k 9 n 100, k 17 n 100, k 41 n 100, k 10 n 150, k 33 n 190, k 40 n 200, k 160 n 160, k 200 n 200, k 250 n 400, k 300 n 500

accelerate! {
    pub fn shifted(wrong: u32, at: &Vector<u32>, any: &Vector<u32>, xs: &Vector<i32>) -> Vector<i32> {
        let last = at.len();
        let offsets = at.map_indexed(|i, o| {
            if wrong == 1 && i == 3 {
                o + 2
            } else if wrong == 2 && i + 1 == last {
                o + 5
            } else if wrong > 4 {
                any[i]
            } else {
                o
            }
        });
        xs.map(|x| 3 * x).sum_segmented(Offsets::new(&offsets))
    }
}
