//! A loop over rows that are chosen by indices: an index may be of none.
//!
//! kernels: 3 (elementwise, scan, elementwise)
//! shapes: m (h, w), keep k
//! values: keep 0..h

accelerate! {
    pub fn summed(m: &Matrix<u32>, keep: &Vector<u32>) -> Matrix<u32> {
        keep.map(|i| {
            let mut t = m.row(i as usize);
            for k in 0..3 {
                t = t.cumsum().map(|x| x + k as u32);
            }
            t
        })
    }
}
