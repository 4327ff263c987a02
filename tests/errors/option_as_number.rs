accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.get(0) + 1.0
    }
}
