//! Offsets from lengths, with the total.
//!
//! kernels: 1 (scan)
//! bytes: 8n + 4
//! shapes: lengths n
//! largest: 300, because each element of a scan is computed by itself as yet

accelerate! {
    pub fn offsets(lengths: &Vector<u32>) -> (Vector<u32>, u32) {
        lengths.scan_exclusive(0, |a, x| a + x)
    }
}
