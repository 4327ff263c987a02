accelerate! {
    pub fn f(m: &Matrix<f32>) -> f32 {
        m[3]
    }
}
