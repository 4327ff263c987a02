//! A sum of roots of the running products before each element, with what all elements come to.
//!
//! kernels: 1 (scan)
//! bytes: 4m n + 4m
//! shapes: m (m, n)

accelerate! {
    pub fn roots(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let (before, all) = row.scan_exclusive(1.0, |a, x| a * x);
            before.map(|x| x.abs().sqrt()).sum() + all
        })
    }
}
