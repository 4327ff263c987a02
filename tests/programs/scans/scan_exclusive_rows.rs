//! Offsets within the rows of an array of rank 3, with all totals.
//!
//! kernels: 1 (scan)
//! bytes: 8a b c + 4a b
//! shapes: xs (a, b, c)

accelerate! {
    pub fn offsets(xs: &Array<u32, 3>) -> (Array<u32, 3>, Matrix<u32>) {
        xs.scan_exclusive(5, |a, x| a + x)
    }
}
