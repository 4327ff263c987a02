//! Rows of exponentials over their sums, and a product with them: a row's sum and its quotients are computed once, not for
//! each element of the product.
//!
//! shapes: scores (n, m), units (n, h)
//! values: scores -2.0..2.0

accelerate! {
    pub fn gradient(scores: &Matrix<f32>, units: &Matrix<f32>) -> Matrix<f32> {
        let parts = scores.map(|x| x.exp());
        let totals = parts.rows().map(|row| row.sum());
        let weights = parts.rows().zip(totals).map(|(row, total)| row.map(|x| x / total));
        units.transpose().matmul(weights)
    }
}
