//! A softmax of rows of `bf16`, summed in `f32`, and where the greatest is.
//!
//! kernels: 1 (rowwise)
//! bytes: 4h w + 8h
//! shapes: m (h, w)
//! values: m -4..4

accelerate! {
    pub fn brain_rows(m: &Matrix<bf16>) -> (Matrix<bf16>, Vector<usize>) {
        let weights = m.rows().map(|row| {
            let most = row.max();
            let powers = row.map(|x| (x - most).exp());
            let total = powers.sum();
            powers.map(|p| p / total)
        });
        (weights, m.argmax())
    }
}
