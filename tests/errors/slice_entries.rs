accelerate! {
    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.slice(s![1..3])
    }
}
