accelerate! {
    pub fn f(xs: &Vektor<f32>) -> f32 {
        0.0
    }
}
