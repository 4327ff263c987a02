//! A blur of a grid of floats of 16 bits, a few times.
//!
//! shapes: m (h, w)
//! values: m 0..1

accelerate! {
    pub fn half_stencil(m: &Matrix<f16>, times: usize) -> Matrix<f16> {
        let mut m = m;
        for _ in 0..times % 4 {
            m = m.stencil(Boundary::Clamp, |w| (w[(-1, 0)] + w[(0, -1)] + w[(0, 1)] + w[(1, 0)]) / 4.0);
        }
        m
    }
}
