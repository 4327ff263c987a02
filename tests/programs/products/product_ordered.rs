//! A fold whose operands must keep their order, over rows and columns: maps `x -> a * x + b` one after the other.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn composed(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<(i32, i32)> {
        a.rows().map(|row| {
            b.columns().map(|column| {
                row.zip(column).fold((1, 0), |(p, q), (r, s)| (p * r, q * r + s))
            })
        })
    }
}
