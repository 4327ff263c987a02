accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        if xs.len() > 3 {
            xs.sum()
        }
        0.0
    }
}
