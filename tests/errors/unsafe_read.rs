accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.get_unchecked(0)
    }
}
