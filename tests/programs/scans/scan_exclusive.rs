//! Offsets from lengths, with the total.
//!
//! kernels: 1 (scan)
//! bytes: 8n + 4
//! shapes: lengths n

accelerate! {
    pub fn offsets(lengths: &Vector<u32>) -> (Vector<u32>, u32) {
        lengths.scan_exclusive(0, |a, x| a + x)
    }
}
