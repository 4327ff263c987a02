//! Sums of what a loop begins with: no whole numbers, so that an order shows.
//!
//! shapes: m (m, n)

accelerate! {
    pub fn roots(m: &Matrix<f64>) -> Matrix<f64> {
        let mut state = m.map(|x| x.abs().sqrt());
        for _ in 0..2 {
            let sums = state.rows().map(|row| row.sum());
            state = state.rows().zip(sums).map(|(row, sum)| row.map(|x| x + sum));
        }
        state
    }
}
