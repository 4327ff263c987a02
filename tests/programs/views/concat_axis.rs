//! Joined along each axis of a matrix.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 24m n
//! shapes: a (m, n), b (m, n)

accelerate! {
    pub fn framed(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        let above = a.concat_axis(1, &b.map(|x| -x));
        let below = b.concat_axis(1, a);
        above.concat_axis(0, &below)
    }
}
