//! A stencil over rows of mathematical functions: these are called once for each element, not once for each read.
//!
//! kernels: 2 (elementwise, stencil)
//! shapes: m (n, k)
//! values: m -2.0..2.0

accelerate! {
    pub fn glow(m: &Matrix<f32>) -> Matrix<f32> {
        let lit = m.rows().map(|row| row.map(|x| x.min(1.5).exp() - x));
        lit.stencil(Clamp, |w| {
            let above = w[(-1, -1)].max(w[(-1, 0)]).max(w[(-1, 1)]);
            let below = w[(1, -1)].max(w[(1, 0)]).max(w[(1, 1)]);
            above.max(below).max(w[(0, -1)]).max(w[(0, 1)]) - w[(0, 0)]
        })
    }
}
