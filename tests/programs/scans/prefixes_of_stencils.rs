//! The greatest prefix of each row of a stencil that reflects: each row is scanned once, though the prefixes are read where it is known
//! that the axis has two elements at least.
//!
//! kernels: 1 (scan)
//! shapes: m (m, n)

accelerate! {
    pub fn prefixes_of_stencils(m: &Matrix<i32>) -> Vector<i32> {
        let smooth = m.stencil(Reflect, |w| w[(0, -2)] + w[(0, -1)] + w[(0, 0)] + w[(0, 1)] + w[(0, 2)]);
        smooth.rows().map(|row| row.scan_exclusive(0, |a, b| a + b).0.fold(0, |a, b| a.max(b)))
    }
}
