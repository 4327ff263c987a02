//! A sum that may fail, bound before the elements that need it: it is computed once, and fails whoever needs it.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 5m + 4n + 8
//! shapes: xs n, asks m
//! values: xs 0..40
//! work: xs 1..40

accelerate! {
    pub fn asked(xs: &Vector<u32>, asks: &Vector<bool>) -> Vector<u32> {
        let sum = xs.map(|x| 10 / x).sum();
        asks.map(|asks| if asks { sum } else { 0 })
    }
}
