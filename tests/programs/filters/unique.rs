//! The distinct elements, in the order of their first occurrences.
//!
//! kernels: 7 (sort, scatter, scan)
//! shapes: xs n
//! values: xs 0..50

accelerate! {
    pub fn distinct(xs: &Vector<u32>) -> (Vector<u32>, usize) {
        let kept = xs.map(|x| x * 7).unique();
        (kept.map(|x| x + 1), kept.len())
    }
}
