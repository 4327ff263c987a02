//! Results that there need not be, of a filter, a search and a read; nothing is read where there is nothing.
//!
//! shapes: xs n
//! values: xs 0..50, i 0..70

accelerate! {
    pub fn found(xs: &Vector<u16>, i: usize) -> (Option<u16>, Option<usize>, Option<(u16, usize)>, Option<u16>) {
        let large = xs.filter(|x| x > 40);
        let first = if large.is_empty() { None } else { Some(large[0]) };
        let best = if xs.is_empty() { None } else { Some((xs.max(), xs.argmax())) };
        (first, xs.sort().binary_search(7), best, xs.get(i))
    }
}
