//! Logical folds.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 2
//! shapes: xs n

accelerate! {
    pub fn judged(xs: &Vector<i32>) -> (bool, bool) {
        (xs.map(|x| x > -100).all(), xs.map(|x| x == 7).any())
    }
}
