//! Two images of different types, each with its boundary and its window, and a tile for each.
//!
//! kernels: 1 (stencil)
//! shapes: image (m, n), mask (m, n)

accelerate! {
    pub fn weighted(image: &Matrix<f32>, mask: &Matrix<u8>) -> Matrix<f32> {
        image.stencil2(Wrap, mask, Constant(0), |w, v| {
            let top = w[(-2, -2)] + w[(-2, -1)] + w[(-2, 0)] + w[(-2, 1)] + w[(-2, 2)];
            let high = w[(-1, -2)] + w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)] + w[(-1, 2)];
            let low = w[(1, -2)] + w[(1, -1)] + w[(1, 0)] + w[(1, 1)] + w[(1, 2)];
            let bottom = w[(2, -2)] + w[(2, -1)] + w[(2, 0)] + w[(2, 1)] + w[(2, 2)];
            let there = v[(-1, -1)] + v[(-1, 0)] + v[(-1, 1)] + v[(0, -1)] + v[(0, 1)] + v[(1, -1)]
                + v[(1, 0)]
                + v[(1, 1)];
            (top + high + low + bottom - 20.0 * w[(0, 0)]) * there as f32
        })
    }
}
