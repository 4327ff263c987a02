//! One element of windows over windows: it is computed without the others, but the innermost window is stored, since
//! every read of it would be written out.
//!
//! shapes: a (m, n)

accelerate! {
    pub fn corner(a: &Matrix<u64>) -> Matrix<u64> {
        let mixed = a.map(|x| (x ^ x.rotate_left(3)).wrapping_mul(x | 1));
        let largest = mixed.stencil(Constant(0_u64), |w| {
            w[(0, 0)]
                .max(w[(-2, -2)]).max(w[(-2, -1)]).max(w[(-2, 0)]).max(w[(-2, 1)]).max(w[(-2, 2)])
                .max(w[(-1, -2)]).max(w[(-1, -1)]).max(w[(-1, 0)]).max(w[(-1, 1)]).max(w[(-1, 2)])
                .max(w[(0, -2)]).max(w[(0, -1)]).max(w[(0, 0)]).max(w[(0, 1)]).max(w[(0, 2)])
                .max(w[(1, -2)]).max(w[(1, -1)]).max(w[(1, 0)]).max(w[(1, 1)]).max(w[(1, 2)])
                .max(w[(2, -2)]).max(w[(2, -1)]).max(w[(2, 0)]).max(w[(2, 1)]).max(w[(2, 2)])
        });
        let mixed = largest.map(|x| (x / 3 + x % 7).wrapping_mul(x.swap_bytes()));
        let sums = mixed.stencil(Clamp, |w| {
            w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)]
                + w[(0, -1)] + w[(0, 0)] + w[(0, 1)]
                + w[(1, -1)] + w[(1, 0)] + w[(1, 1)]
        });
        let twice = sums.stencil(Wrap, |w| {
            w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)]
                + w[(0, -1)] + w[(0, 0)] + w[(0, 1)]
                + w[(1, -1)] + w[(1, 0)] + w[(1, 1)]
        });
        let corner = twice.get((0, 2)).unwrap_or(7);
        a.map(|x| x ^ corner)
    }
}
