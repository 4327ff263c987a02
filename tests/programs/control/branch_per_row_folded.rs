//! A reduction of what a branch gives for each row.
//!
//! shapes: m (m, n)

accelerate! {
    pub fn weights(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let chosen = if row.sum() > 0.0 { row.map(|x| x * 2.0 + 1.0) } else { row.reverse() };
            chosen.sum()
        })
    }
}
