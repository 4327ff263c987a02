//! What is kept in order, and the different values of an array: as many as the device finds.
//!
//! shapes: xs n
//! values: xs -20..30

accelerate! {
    pub fn kept(xs: &Vector<i16>) -> (Vector<i16>, Vector<i16>) {
        (xs.filter(|x| x % 3 != 0).sort_by_key(|x| -x), xs.sort().dedup())
    }
}
