//! The greatest of what is kept, if anything is.
//!
//! kernels: 1 (reduce)
//! bytes: 4n + 4
//! shapes: xs n
//! values: xs -20..5

accelerate! {
    pub fn greatest(xs: &Vector<i32>) -> i32 {
        xs.filter(|x| x > 0).max()
    }
}
