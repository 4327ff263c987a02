//! Each row smoothed by itself.
//!
//! kernels: 1 (elementwise)
//! bytes: 8m n
//! shapes: m (m, n)

accelerate! {
    pub fn smooth(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.stencil(Boundary::Reflect, |w| (w[-1] + w[0] + w[1]) / 3.0))
    }
}
