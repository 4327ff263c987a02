accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.foldl(|a, b| a + b)
    }
}
