//! The rows of a stencil's result, scanned exclusively and folded: the stencil is stored, and then its reads prove to be in bounds,
//! so that the scan goes along each row once.
//!
//! kernels: 2 (stencil, scan)
//! shapes: m (m, n)
//! values: m -100..100

accelerate! {
    pub fn scan_of_stencil_rows(m: &Matrix<i64>) -> (Vector<i64>, Matrix<i64>) {
        let near = m.stencil(Reflect, |w| w[(0, 0)] + w[(0, -1)] * w[(1, 0)]);
        let least = near.rows().map(|row| row.scan_exclusive(0, |a, b| a.min(b)).0.fold(3, |a, b| a & b));
        (least, near)
    }
}
