accelerate! {
    pub fn f(xs: &Vector<f32>, name: String) -> f32 {
        xs.sum()
    }
}
