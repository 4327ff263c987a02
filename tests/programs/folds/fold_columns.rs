//! Composition of affine maps down the columns of a matrix: columns whose fold keeps the order.
//!
//! kernels: 1 (reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn composed(m: &Matrix<(i32, i32)>) -> Vector<(i32, i32)> {
        m.columns().map(|column| column.fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d)))
    }
}
