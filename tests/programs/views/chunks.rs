//! Sums of the parts of a vector: an error where they do not cover it.
//!
//! kernels: 1 (reduce)
//! shapes: xs n
//! values: k 0..4

accelerate! {
    pub fn sums(xs: &Vector<i64>, k: usize) -> Vector<i64> {
        xs.chunks(k).map(|part| part.map(|x| x + 1).sum())
    }
}
