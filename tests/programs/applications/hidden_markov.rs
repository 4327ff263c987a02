//! The likelihood of what has been seen, by the forward algorithm: the states that may have led to it, weighted anew at each
//! step. Which column is read the device says: the host knows its length all the same, and waits for nothing in a round.
//!
//! kernels: 5 (elementwise, reduce, elementwise, reduce, reduce)
//! shapes: moves (s, s), shows (s, k), first s, seen n
//! values: moves 0.1..1.0, shows 0.1..1.0, first 0.1..1.0, seen 0..4

accelerate! {
    pub fn likelihood(moves: &Matrix<f32>, shows: &Matrix<f32>, first: &Vector<f32>, seen: &Vector<u32>) -> f32 {
        let mut states = first.zip(shows.column(seen[0] as usize)).map(|(p, q)| p * q);
        let mut likelihood = 0.0;
        for t in 1..seen.len() {
            let sum = states.sum();
            likelihood += sum.ln();
            let now = states.map(|p| p / sum);
            states = moves.transpose().matvec(&now).zip(shows.column(seen[t] as usize)).map(|(p, q)| p * q);
        }
        likelihood + states.sum().ln()
    }
}
