//! Rows of exponentials over their sums, multiplied in a loop that is written out: an exponential is computed once, not for
//! each element that it is multiplied into.
//!
//! shapes: scores (n, m), units (n, h)
//! values: scores -2.0..2.0

accelerate! {
    pub fn gradient(scores: &Matrix<f32>, units: &Matrix<f32>) -> Matrix<f32> {
        let weights = scores.rows().map(|row| {
            let total = row.map(|x| x.exp()).sum();
            row.map(|x| x.exp() / total)
        });
        let (n, m) = scores.shape();
        generate((units.shape().1, m), |(j, k)| {
            let mut sum = 0.0;
            for i in 0..n {
                sum += units[(i, j)] * weights[(i, k)];
            }
            sum
        })
    }
}
