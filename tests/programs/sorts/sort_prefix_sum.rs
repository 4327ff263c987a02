//! What the least elements add up to: of a sort a reduction reads a few.
//!
//! kernels: 6 (sort, reduce)
//! shapes: xs n
//! values: k 0..n
//! sizes: n 3000, n 70000

accelerate! {
    pub fn least_sum(xs: &Vector<u32>, k: usize) -> u32 {
        xs.sort().take(k / 7).sum()
    }
}
