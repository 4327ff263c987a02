accelerate! {
    pub fn f(m: &Matrix<u8>) -> Matrix<u32> {
        m.rows().map(|row| row.histogram(256))
    }
}
