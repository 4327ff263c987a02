//! Rows and columns of a constant around a matrix: most elements are copied, in loops of their own.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! shapes: m (r, c)

accelerate! {
    pub fn framed(m: &Matrix<f32>) -> Matrix<f32> {
        let above = m.pad(2, 1, Constant(7.0));
        above.transpose().pad(1, 3, Constant(-1.0)).transpose()
    }
}
