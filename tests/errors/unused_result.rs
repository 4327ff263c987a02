accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.map(|x| x * 2.0);
        xs.sum()
    }
}
