//! A scan that may fail, of which each element reads the one before: in the kernel of the scan, if there are two elements.
//!
//! kernels: 1 (scan)
//! bytes: 12n
//! shapes: xs n, ys n
//! values: xs 0..9, ys 0..40
//! work: ys 1..40

accelerate! {
    pub fn before(xs: &Vector<u32>, ys: &Vector<u32>) -> Vector<u32> {
        let sums = xs.zip(ys).map(|(x, y)| x / y).cumsum();
        generate(xs.len(), |i| if i == 0 { 0 } else { sums[i - 1] })
    }
}
