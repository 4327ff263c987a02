//! A 7-point stencil of a cube.
//!
//! kernels: 1 (stencil)
//! bytes: 8a b c
//! shapes: u (a, b, c)

accelerate! {
    pub fn laplace(u: &Cube<f32>) -> Cube<f32> {
        u.stencil(Clamp, |w| {
            w[(-1, 0, 0)] + w[(1, 0, 0)] + w[(0, -1, 0)] + w[(0, 1, 0)] + w[(0, 0, -1)]
                + w[(0, 0, 1)]
                - 6.0 * w[(0, 0, 0)]
        })
    }
}
