//! A scan that may fail, bound before the elements that read it: it is done once, and they are made where it comes by.
//!
//! kernels: 1 (scan)
//! bytes: 13n
//! shapes: xs n, ys n, chosen n
//! values: xs 0..9, ys 0..40
//! work: ys 1..40

accelerate! {
    pub fn chosen(xs: &Vector<u32>, ys: &Vector<u32>, chosen: &Vector<bool>) -> Vector<u32> {
        let sums = xs.zip(ys).map(|(x, y)| x / y).cumsum();
        sums.zip(chosen).map(|(sum, chosen)| if chosen { sum } else { 0 })
    }
}
