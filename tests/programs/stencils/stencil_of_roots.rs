//! A producer with a root, fused into the windows that read it: computed once for each place of a tile.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: image (m, n)

accelerate! {
    pub fn glow(image: &Matrix<f32>) -> Matrix<f32> {
        let bright = image.map(|x| (x * x + 1.0).sqrt());
        bright.stencil(Mirror, |w| {
            w[(-2, 0)] + w[(-1, 0)] + w[(0, -2)] + w[(0, -1)] - 8.0 * w[(0, 0)] + w[(0, 1)] + w[(0, 2)]
                + w[(1, 0)]
                + w[(2, 0)]
        })
    }
}
