accelerate! {
    pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Vector<f32> {
        m.zip(xs).map(|(a, b)| a * b).sum()
    }
}
