accelerate! {
    pub fn f(xs: &Vector<f64>) -> f32 {
        xs.sum()
    }
}
