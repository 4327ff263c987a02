//! A scan that can fail, and that an empty vector does not ask for.
//!
//! shapes: xs n, ys m
//! values: xs 0..4
//! work: xs 1..4

accelerate! {
    pub fn at_first(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        let sums = xs.map(|x| 12 / x).cumsum();
        ys.map(|y| y + sums.first())
    }
}
