accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        asert!(xs.len() > 0);
        xs.sum()
    }
}
