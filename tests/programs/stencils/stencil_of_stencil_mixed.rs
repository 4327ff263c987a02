//! A stencil of a stencil of mixed bits: each of the inner one's reads would mix them again, so that one is stored.
//!
//! kernels: 2 (stencil, stencil)
//! bytes: 32m n
//! shapes: a (m, n)

accelerate! {
    pub fn mixed(a: &Matrix<u64>) -> Matrix<u64> {
        let mixed = a.map(|x| (x ^ x.rotate_left(3)).wrapping_mul(x | 1).reverse_bits());
        let sums = mixed.stencil(Clamp, |w| {
            w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)]
                + w[(0, -1)] + w[(0, 0)] + w[(0, 1)]
                + w[(1, -1)] + w[(1, 0)] + w[(1, 1)]
        });
        sums.stencil(Wrap, |w| {
            w[(-1, -1)].max(w[(-1, 0)]).max(w[(-1, 1)])
                .max(w[(0, -1)]).max(w[(0, 0)]).max(w[(0, 1)])
                .max(w[(1, -1)]).max(w[(1, 0)]).max(w[(1, 1)])
        })
    }
}
