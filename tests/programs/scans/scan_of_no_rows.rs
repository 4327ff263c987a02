//! Scans of what only rows ask for: without rows, the slice may begin behind its end, and there may be no offsets.
//!
//! kernels: 5 (scan, elementwise, elementwise, scan, elementwise)
//! shapes: m (m, n), xs k, ends l
//! offsets: ends k

accelerate! {
    pub fn sums(m: &Matrix<u32>, xs: &Vector<u32>, ends: &Vector<u32>) -> (Matrix<u32>, Matrix<u32>) {
        let rests = m.rows().map(|row| xs.slice(5..).cumsum());
        let pieces = m.rows().map(|row| xs.fold_segmented(Offsets::new(ends), 0, |a, x| a ^ x).cumsum());
        (rests, pieces)
    }
}
