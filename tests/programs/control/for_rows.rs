//! A loop over the rows of a matrix, whose state is an array.
//!
//! kernels: 1 (elementwise)
//! shapes: m (h, w)

accelerate! {
    pub fn faded(m: &Matrix<f32>) -> Vector<f32> {
        let mut sum = fill(m.shape().1, 0.0);
        for row in m.rows() {
            sum = sum * 0.5 + row;
        }
        sum
    }
}
