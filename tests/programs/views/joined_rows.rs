//! Each row beside what it is normalised to, with a constant behind: a row's parts are stored by themselves.
//!
//! kernels: 1 (rowwise)
//! choices: 0
//! shapes: m (r, c)

accelerate! {
    pub fn beside(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let sum = row.sum();
            row.map(|x| x - sum).concat(fill(3, 0.5)).concat(row)
        })
    }
}
