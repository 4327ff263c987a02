//! A filter, then a scan of what it has kept, then another filter.
//!
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub fn peaks(xs: &Vector<i32>) -> Vector<i32> {
        xs.filter(|x| x != 0).cumsum().filter(|x| x > 0)
    }
}
