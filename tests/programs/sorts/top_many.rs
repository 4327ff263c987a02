//! As many of the greatest as a parameter says, and their places: of an axis that has fewer they fail.
//!
//! shapes: xs n
//! values: k 0..9, xs -5.0..5.0

accelerate! {
    pub fn greatest(xs: &Vector<f64>, k: usize) -> (Vector<f64>, Vector<usize>) {
        (xs.top_k(k), xs.map(|x| x.floor()).argtop_k(k))
    }
}
