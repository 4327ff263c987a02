//! Stencils over normalized rows, of which those outside are constant: all rows are normalized once, for those around, too.
//!
//! kernels: 2 (rowwise, stencil)
//! shapes: m (h, w)
//! sizes: h 3 w 511, h 3 w 513, h 2 w 1025
//! values: m 0.5..4.0

accelerate! {
    pub fn around(m: &Matrix<f64>) -> Matrix<f64> {
        let normalized = m.rows().map(|row| {
            let largest = row.fold(0.25, |a, b| a.max(b));
            row.map(|x| x / largest)
        });
        normalized
            .stencil(Constant(1.0), |w| w[(-1, 0)] + w[(1, 0)] - w[(0, -1)])
            .stencil(Constant(0.5), |w| w[(-1, 0)].max(w[(0, 1)]))
    }
}
