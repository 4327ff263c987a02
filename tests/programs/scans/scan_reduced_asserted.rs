//! The running sums of rows, reduced behind an assertion that keeps in bounds what they are multiplied by.
//!
//! kernels: 2 (scan, elementwise)
//! shapes: m (m, n), places m, ys k
//! values: m 0..9, places 0..12, ys 0..30
//! work: places 0..k

accelerate! {
    pub fn weighted(m: &Matrix<u32>, places: &Vector<u32>, ys: &Vector<u32>) -> Vector<u32> {
        m.rows().zip(places).map(|(row, place)| {
            let k = place as usize;
            assert!(k < ys.len(), "no such weight");
            row.cumsum().map(|x| x * ys[k]).sum()
        })
    }
}
