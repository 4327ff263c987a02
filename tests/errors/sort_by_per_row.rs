accelerate! {
    pub fn f(m: &Matrix<f32>, turn: &Vector<f32>) -> Matrix<f32> {
        m.rows().zip(turn).map(|(row, turn)| row.sort_by(|a, b| (a * turn).total_cmp(&(b * turn))))
    }

    pub fn g(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.sort_by(|a, b| if a < b { Ordering::Less } else { row[0].total_cmp(b) }))
    }
}
