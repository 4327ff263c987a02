//! A blur along the columns, then along the rows.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: image (m, n)

accelerate! {
    pub fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        let down = image.stencil(Clamp, |w| 0.25 * w[(-1, 0)] + 0.5 * w[(0, 0)] + 0.25 * w[(1, 0)]);
        down.stencil(Clamp, |w| 0.25 * w[(0, -1)] + 0.5 * w[(0, 0)] + 0.25 * w[(0, 1)])
    }
}
