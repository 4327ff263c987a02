//! A scan and what is made of it are both results.
//!
//! kernels: 1 (scan)
//! bytes: 24n
//! shapes: xs n

accelerate! {
    pub fn both(xs: &Vector<u64>) -> (Vector<u64>, Vector<u64>) {
        let sums = xs.cumsum();
        (sums, sums.zip(xs).map(|(s, x)| s * 3 - x))
    }
}
