//! The first of each run of equal elements.
//!
//! kernels: 1 (scan)
//! bytes: 10n + 8
//! shapes: xs n
//! values: xs 0..3

accelerate! {
    pub fn runs(xs: &Vector<(u8, i32)>) -> (Vector<(u8, i32)>, usize) {
        let xs = xs.map(|(a, b)| (a, b / 2));
        let runs = xs.dedup();
        (runs, runs.len())
    }
}
