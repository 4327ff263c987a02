accelerate! {
    pub fn f(xs: &mut Vector<f32>) -> f32 {
        xs.sum()
    }
}
