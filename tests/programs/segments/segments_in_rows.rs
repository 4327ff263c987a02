//! Segments of one axis, whose sums are put into rows: a row's begin where those of the one before end.
//!
//! kernels: 1 (reduce)
//! shapes: xs n, offsets k
//! offsets: offsets n

accelerate! {
    pub fn four(xs: &Vector<i32>, offsets: &Vector<u32>) -> Matrix<i32> {
        let sums = xs.sum_segmented(&Offsets::new(offsets));
        sums.chunks_exact(4).map(|row| row.reverse().reverse())
    }
}
