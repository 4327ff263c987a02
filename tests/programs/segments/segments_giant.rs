//! Segments of one element each, but for the last, which has nearly everything: left to a second launch where it is long.
//!
//! kernels: 2 (scan, reduce)
//! shapes: xs n

accelerate! {
    pub fn giant(xs: &Vector<i32>) -> Vector<i32> {
        let n = xs.len();
        let k = n / 16 + 1;
        let lengths = generate(k, |i| if i + 1 < k { 1 } else { n - (k - 1) });
        xs.map(|x| x * x).sum_segmented(&lengths).map(|sum| sum ^ 1)
    }
}
