//! Modified Gram-Schmidt, a column a round: the products of a round are computed once, though a branch reads them.
//!
//! kernels: 4 (reduce, elementwise, reduce, elementwise)
//! shapes: a (m, n)
//! values: a 0.5..1.5
//! sizes: m 12 n 8

accelerate! {
    pub fn gram_schmidt(a: &Matrix<f64>) -> Matrix<f64> {
        let mut q = a.clone();
        for k in 0..a.shape().1 {
            let column = q.column(k);
            let norm = column.dot(column).sqrt();
            let unit = column.map(|x| x / norm);
            let products = q.columns().map(|c| c.dot(unit));
            q = q.map_indexed(|(i, j), x| {
                if j < k { x } else if j == k { unit[i] } else { x - unit[i] * products[j] }
            });
        }
        q
    }
}
