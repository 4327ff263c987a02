//! A window of a matrix, shifted in both directions.
//!
//! kernels: 1 (elementwise)
//! shapes: m (m, n)

accelerate! {
    pub fn cross(m: &Matrix<i32>) -> Matrix<i32> {
        let (rows, columns) = m.shape();
        m.slice(s![1..rows, ..]).slice(s![.., 1..columns]) - m.slice(s![0..rows - 1, 0..columns - 1])
    }
}
