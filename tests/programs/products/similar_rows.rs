//! How many rows point where each row does: each is read once, and so never stored, though the elements of a row of all pairs share
//! its length.
//!
//! kernels: 1 (reduce)
//! bytes: 8m n + 4n
//! shapes: p (n, m), q (n, m)
//! values: p -2.0..2.0, q -2.0..2.0, least -1.0..1.0

accelerate! {
    pub fn similar(p: &Matrix<f32>, q: &Matrix<f32>, least: f32) -> Vector<u32> {
        p.rows().map(|a| {
            let length = a.map(|x| x * x).sum().sqrt();
            q.rows()
                .map(|b| if a.dot(&b) > least * length { 1u32 } else { 0 })
                .sum()
        })
    }
}
