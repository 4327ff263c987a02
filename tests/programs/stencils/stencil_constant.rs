//! A sharpened image with a border of one colour.
//!
//! kernels: 1 (stencil)
//! bytes: 24m n
//! shapes: image (m, n)

accelerate! {
    pub fn sharpen(image: &Matrix<(f32, f32, f32)>) -> Matrix<(f32, f32, f32)> {
        image.stencil(Constant((1.0, 0.5, 0.0)), |w| {
            let (r, g, b) = w[(0, 0)];
            let (up, left) = (w[(-1, 0)], w[(0, -1)]);
            let (down, right) = (w[(1, 0)], w[(0, 1)]);
            (
                5.0 * r - up.0 - left.0 - down.0 - right.0,
                5.0 * g - up.1 - left.1 - down.1 - right.1,
                5.0 * b - up.2 - left.2 - down.2 - right.2,
            )
        })
    }
}
