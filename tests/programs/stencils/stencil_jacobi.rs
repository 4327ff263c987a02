//! A step of a 5-point relaxation whose border is clamped.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: grid (m, n)

accelerate! {
    pub fn step(grid: &Matrix<f32>) -> Matrix<f32> {
        grid.stencil(Clamp, |w| 0.25 * (w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)]))
    }
}
