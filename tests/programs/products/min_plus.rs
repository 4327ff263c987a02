//! A product over another semiring.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)
//! values: a 0..1000, b 0..1000

accelerate! {
    pub fn shortest(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<i32> {
        a.rows().map(|row| {
            b.columns().map(|column| row.zip(column).map(|(x, y)| x + y).fold(i32::MAX, |p, q| p.min(q)))
        })
    }
}
