//! A condition that may fail, and an element that may, where it is kept.
//!
//! shapes: xs n
//! values: xs -1..40, d 0..3
//! work: xs -1..38, d 1..3

accelerate! {
    pub fn quotients(xs: &Vector<i32>, d: i32) -> Vector<i32> {
        xs.filter(|x| x / d > 2).map(|x| 100 / (x - 38))
    }
}
