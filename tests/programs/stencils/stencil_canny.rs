//! Gradient, magnitude and direction of an image, as Canny's edge detector begins.
//!
//! kernels: 1 (stencil)
//! bytes: 9m n
//! shapes: image (m, n)

accelerate! {
    pub fn gradient(image: &Matrix<f32>, low: f32) -> Matrix<(f32, u8)> {
        let across = image.stencil(Clamp, |w| {
            w[(-1, 1)] + 2.0 * w[(0, 1)] + w[(1, 1)] - w[(-1, -1)] - 2.0 * w[(0, -1)] - w[(1, -1)]
        });
        let down = image.stencil(Clamp, |w| {
            w[(1, -1)] + 2.0 * w[(1, 0)] + w[(1, 1)] - w[(-1, -1)] - 2.0 * w[(-1, 0)] - w[(-1, 1)]
        });
        across.zip(&down).map(|(x, y)| {
            let magnitude = (x * x + y * y).sqrt();
            let steep = y.abs() > x.abs();
            let direction = if magnitude <= low {
                0
            } else if steep {
                if y > 0.0 { 1 } else { 2 }
            } else {
                if x > 0.0 { 3 } else { 4 }
            };
            (magnitude, direction)
        })
    }
}
