//! A product of matrices whose elements have tags: in shared memory an element takes as much as the struct with its padding.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn tagged(a: &Matrix<(f64, u32)>, b: &Matrix<(f64, u32)>) -> Matrix<f64> {
        a.rows().map(|r| {
            b.columns().map(|c| r.zip(c).map(|((x, t), (y, u))| if t % 2 == u % 2 { x * y } else { 0.0 }).sum())
        })
    }
}
