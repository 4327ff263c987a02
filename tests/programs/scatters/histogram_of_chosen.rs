//! The most frequent value of rows that are chosen by indices: an index may be of none, a value of no bin.
//!
//! kernels: 2 (scatter, elementwise)
//! shapes: m (h, w), keep k
//! values: m 0..11, keep 0..h
//! work: m 0..10

accelerate! {
    pub fn modes(m: &Matrix<u8>, keep: &Vector<u32>) -> Vector<usize> {
        keep.map(|i| m.row(i as usize).map(|x| x as usize).histogram(10).argmax())
    }
}
