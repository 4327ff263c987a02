//! The best score of a hidden path that ends in each state. The states of a round are as many as columns, and rows have to be as
//! many as the states before: the host compares them before the round, and threads share the folds.
//!
//! kernels: 1 (reduce)
//! shapes: start s, trans (s, s), emit (s, m), seen t
//! values: seen 0..3

accelerate! {
    pub fn viterbi(start: &Vector<f32>, trans: &Matrix<f32>, emit: &Matrix<f32>, seen: &Vector<u32>) -> Vector<f32> {
        let mut scores = start.clone();
        for t in 0..seen.len() {
            let kind = seen[t] as usize;
            scores = trans
                .transpose()
                .rows()
                .map(|row| row.zip_with(scores, |a, b| a + b).max())
                .map_indexed(|j, best| best + emit[(j, kind)]);
        }
        scores
    }
}
