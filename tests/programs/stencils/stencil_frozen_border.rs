//! A step of heat in a plate and in a block whose borders stay as they are: a condition on the indices, under which the stencils
//! need no clamps.
//!
//! kernels: 2 (stencil, stencil)
//! bytes: 8d m n + 8h w
//! shapes: plate (h, w), block (d, m, n)

accelerate! {
    pub fn warmed(plate: &Matrix<f32>, block: &Cube<f32>) -> (Matrix<f32>, Cube<f32>) {
        let (h, w) = plate.shape();
        let moved = plate.stencil(Clamp, |w| {
            w[(0, 0)] + 0.1 * (w[(1, 0)] + w[(-1, 0)] + w[(0, 1)] + w[(0, -1)] - 4.0 * w[(0, 0)])
        });
        let flat = plate.map_indexed(|(i, j), x| {
            if i == 0 || j == 0 || i == h - 1 || j == w - 1 { x } else { moved[(i, j)] }
        });
        let (d, m, n) = block.shape();
        let warmed = block.stencil(Clamp, |w| {
            let c = w[(0, 0, 0)];
            let sides = w[(1, 0, 0)] + w[(-1, 0, 0)] + w[(0, 1, 0)] + w[(0, -1, 0)] + w[(0, 0, 1)] + w[(0, 0, -1)];
            c + 0.1 * (sides - 6.0 * c)
        });
        let deep = block.map_indexed(|(i, j, k), x| {
            let border = i == 0 || j == 0 || k == 0 || i == d - 1 || j == m - 1 || k == n - 1;
            if border { x } else { warmed[(i, j, k)] }
        });
        (flat, deep)
    }
}
