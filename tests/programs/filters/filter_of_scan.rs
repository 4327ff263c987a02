//! Sums that are kept.
//!
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub fn low(xs: &Vector<i32>) -> (Vector<i32>, i32) {
        let sums = xs.cumsum();
        (sums.filter(|x| x < 0), sums.filter(|x| x >= 0).sum())
    }
}
