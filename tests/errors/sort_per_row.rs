accelerate! {
    pub fn some(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| if row[0] > 0.0 { row.sort()[1] } else { 0.0 })
    }
    pub fn failing(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| row.sort_by_key(|x| 100 / x))
    }
}
