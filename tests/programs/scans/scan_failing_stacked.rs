//! A scan that may fail beside its elements: the scan is done once, not again for each element that reads it.
//!
//! kernels: 3 (elementwise, scan, elementwise)
//! bytes: 36m + 4n
//! shapes: xs n, at m
//! values: at 0..40
//! work: at 0..n

accelerate! {
    pub fn beside(xs: &Vector<u32>, at: &Vector<usize>) -> Matrix<u32> {
        let chosen = xs.select(at);
        stack((chosen.cumsum(), chosen))
    }
}
