//! A fold of as many elements as an array says, on one side of a branch.
//!
//! shapes: f m
//! values: f 0..5, k 0..9, n 0..5

accelerate! {
    pub fn chosen(f: &Vector<usize>, k: usize, n: i32) -> f64 {
        let sums = f.map(|r| (0..r).map(|i| (i as f64).sqrt()).fold(0.0, |a, b| a + b));
        if n > 2 { sums[k] } else { 1.0 }
    }
}
