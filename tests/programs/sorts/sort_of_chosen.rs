//! Rows chosen by indices, sorted: an index may be of none.
//!
//! kernels: 6 (sort, elementwise)
//! shapes: m (h, w), keep k
//! values: keep 0..h

accelerate! {
    pub fn ascending(m: &Matrix<i32>, keep: &Vector<u32>) -> Matrix<i32> {
        keep.map(|i| m.row(i as usize).sort())
    }
}
