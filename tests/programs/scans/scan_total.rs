//! Every element needs the total, so the scan is stored first.
//!
//! kernels: 2 (scan, elementwise)
//! shapes: xs n

accelerate! {
    pub fn shares(xs: &Vector<u32>) -> Vector<u32> {
        let (before, total) = xs.scan_exclusive(1, |a, x| a + x);
        before.map(|x| x * 100 / total)
    }
}
