//! A product of matrices of complex numbers: two sums in one fold.
//!
//! kernels: 1 (contraction)
//! bytes: 8k m + 8k n + 8m n
//! shapes: a (m, k), b (k, n)

accelerate! {
    pub fn product(a: &Matrix<(f32, f32)>, b: &Matrix<(f32, f32)>) -> Matrix<(f32, f32)> {
        a.rows().map(|row| {
            b.columns().map(|column| {
                let products = row.zip(column).map(|((p, q), (r, s))| (p * r - q * s, p * s + q * r));
                products.fold((0.0, 0.0), |(p, q), (r, s)| (p + r, q + s))
            })
        })
    }
}
