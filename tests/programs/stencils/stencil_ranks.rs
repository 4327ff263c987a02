//! Every boundary around three axes, stencils of each plane, and of several arrays.
//!
//! kernels: 2 (stencil, elementwise)
//! bytes: 32a b n + 8b n
//! shapes: c (a, b, n), d (a, b, n), m (b, n)

accelerate! {
    pub fn edges(c: &Cube<i32>, d: &Cube<(i32, u8)>, m: &Matrix<i32>) -> (Cube<(i32, i32, i32, i32)>, Cube<(i32, u8)>, Cube<i32>, Matrix<i32>) {
        let mirrored = c.stencil(Mirror, |w| w[(-2, 0, 0)] + 3 * w[(0, 2, -1)]);
        let reflected = c.stencil(Reflect, |w| w[(-2, 0, 0)] + 3 * w[(0, 2, -1)]);
        let constant = c.map(|x| x + 1).stencil(Constant(5), |w| w[(1, 0, 0)] - w[(0, 0, 1)]).map(|x| x * 2);
        let function = c.stencil(Function(|(i, j, k)| (9 * i + 3 * j + k) as i32), |w| w[(0, -1, 0)] ^ w[(1, 0, 1)]);
        (
            zip((mirrored, reflected, constant, function)),
            d.stencil2(Wrap, c, Clamp, |w, v| (w[(-1, 0, 2)].0 - w[(0, 1, 0)].0 + v[(0, -1, 0)], w[(0, 0, 0)].1)),
            c.outer().map(|plane| plane.stencil(Wrap, |w| w[(-1, 0)] + 2 * w[(0, 1)])),
            m.stencil3(Mirror, &m.map(|x| x ^ 1), Reflect, &m.reverse(), Wrap, |u, v, w| u[(0, 1)] + 3 * v[(-1, 0)] + 5 * w[(1, 1)]),
        )
    }
}
