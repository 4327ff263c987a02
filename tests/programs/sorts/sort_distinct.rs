//! How many different values there are, and where the first of each stands in order.
//!
//! shapes: xs n
//! values: xs 0..40

accelerate! {
    pub fn distinct(xs: &Vector<u16>) -> (u32, Vector<bool>) {
        let sorted = xs.sort();
        let first = sorted.map_indexed(|i, x| i == 0 || sorted[i - 1] != x);
        (first.map(|first| first as u32).sum(), first)
    }
}
