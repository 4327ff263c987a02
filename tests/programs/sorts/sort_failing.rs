//! A key that can fail.
//!
//! shapes: xs n
//! values: xs 0..200
//! work: xs 1..200

accelerate! {
    pub fn keyed(xs: &Vector<i32>) -> Vector<i32> {
        xs.sort_by_key(|x| 1000 / x)
    }
}
