//! Folds of short rows of known length: what is more than a few operations the threads of a row share.
//!
//! kernels: 2 (elementwise, rowwise)
//! shapes: a n

accelerate! {
    pub fn folded(a: &Vector<u8>) -> Matrix<u8> {
        let rows = a.chunks_exact(16).map(|row| row);
        let around = rows.stencil(Function(|(i, _)| if i < 0 { 7_u8 } else { 100_u8 }), |w| {
            (w[(-1, 0)] / 3 + w[(0, -1)] % 7).max(w[(0, 1)]).max(w[(1, 0)].reverse_bits())
        });
        around.rows().map(|row| {
            let bits = row.fold(7_u8, |x, y| x | y);
            row.map(|x| x ^ (bits * 7))
        })
    }
}
