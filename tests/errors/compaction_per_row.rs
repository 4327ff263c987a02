accelerate! {
    pub fn f(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.filter(|x| x > 0).cumsum().sum())
    }

    pub fn g(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| row.filter(|x| x > 0))
    }
}
