//! Folds of a filter: one kernel of n reads, and no filtered array.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 20
//! shapes: xs n
//! values: xs -50..50

accelerate! {
    pub fn sums(xs: &Vector<i32>) -> (i32, i64, usize) {
        let kept = xs.filter(|x| x % 3 != 0);
        (kept.sum(), kept.map(|x| x as i64).fold(7, |a, x| a + x), kept.len())
    }
}
