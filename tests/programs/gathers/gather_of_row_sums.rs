//! Sums of rows that are read where data say: each is computed once, however often it is read.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: m (h, w), ids n
//! values: ids 0..h, m 0.0..1.0

accelerate! {
    pub fn gathered(m: &Matrix<f32>, ids: &Vector<usize>) -> Vector<f32> {
        let sums = m.rows().map(|row| row.sum());
        ids.map(|i| sums[i])
    }
}
