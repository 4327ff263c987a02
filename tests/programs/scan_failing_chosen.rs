//! A scan that may fail, read by some elements: whether there are any is found out first, then it is done once.
//!
//! kernels: 2 (reduce, scan)
//! bytes: 14n + 2
//! shapes: xs n, ys n, chosen n
//! values: xs 0..9, ys 0..40
//! work: ys 1..40

accelerate! {
    pub fn chosen(xs: &Vector<u32>, ys: &Vector<u32>, chosen: &Vector<bool>) -> Vector<u32> {
        let sums = xs.zip(ys).map(|(x, y)| x / y).cumsum();
        sums.zip(chosen).map(|(sum, chosen)| if chosen { sum } else { 0 })
    }
}
