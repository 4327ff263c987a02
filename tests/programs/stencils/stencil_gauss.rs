//! A blur of five along the columns, then along the rows: a column's sum is computed once for the rows that read it.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: image (m, n)

accelerate! {
    pub fn gauss(image: &Matrix<f32>) -> Matrix<f32> {
        let down = image.stencil(Clamp, |w| {
            0.06 * (w[(-2, 0)] + w[(2, 0)]) + 0.24 * (w[(-1, 0)] + w[(1, 0)]) + 0.4 * w[(0, 0)]
        });
        down.stencil(Clamp, |w| {
            0.06 * (w[(0, -2)] + w[(0, 2)]) + 0.24 * (w[(0, -1)] + w[(0, 1)]) + 0.4 * w[(0, 0)]
        })
    }
}
