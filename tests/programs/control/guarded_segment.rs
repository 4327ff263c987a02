//! A segment's fold, asked for in rounds, by an index that may be out of range: nothing of it is read or fails
//! before.
//!
//! shapes: a n, g m
//! lengths: g n
//! values: k 0..9, rounds 0..3

accelerate! {
    pub fn rounds(a: &Vector<f64>, g: &Vector<usize>, k: usize, rounds: i32) -> Vector<f64> {
        let sums = a.fold_segmented(g, 1.0, |a, x| a + x);
        let mut s = a.clone();
        for _ in 0..rounds {
            s = s.map(|x| x + sums[k]);
        }
        s
    }
}
