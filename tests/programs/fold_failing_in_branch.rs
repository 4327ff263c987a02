//! A sum that may fail, for elements that ask for it: it is computed once, if any does.
//!
//! kernels: 3 (reduce, reduce, elementwise)
//! bytes: 6m + 4n + 10
//! shapes: xs n, asks m
//! values: xs 0..40
//! work: xs 1..40

accelerate! {
    pub fn asked(xs: &Vector<u32>, asks: &Vector<bool>) -> Vector<u32> {
        let sum = xs.map(|x| 10 / x).sum();
        asks.map(|asks| if asks { sum } else { 0 })
    }
}
