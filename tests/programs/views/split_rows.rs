//! Parts of the first axis of a matrix: a cube, summed over the middle axis.
//!
//! kernels: 1 (reduce)
//! shapes: m (r, c)
//! values: k 1..5

accelerate! {
    pub fn bands(m: &Matrix<f32>, k: usize) -> Matrix<f32> {
        m.split(k).sum_axis(1)
    }
}
