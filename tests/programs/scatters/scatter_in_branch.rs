//! A scatter in the branch that is taken, and its result after it.
//!
//! shapes: xs n
//! values: xs 0..50, k 0..60
//! work: xs 0..31

accelerate! {
    pub fn either(xs: &Vector<u32>, k: usize) -> (Vector<u32>, u32) {
        let counts = if k > 30 { xs.histogram(k) } else { fill(50, 1) };
        let first = if xs.len() > 100 { xs.histogram(49)[0] } else { 7 };
        (counts, first)
    }
}
