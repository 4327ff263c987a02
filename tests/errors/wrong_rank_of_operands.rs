accelerate! {
    pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m + xs
    }
}
