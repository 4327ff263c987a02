accelerate! {
    pub fn f(m: &Matrix<i32>) -> Vector<usize> {
        m.rows().map(|row| row.unique().len())
    }
}
