accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum() +
    }

    pub fn g(xs: &Vector<f32>) -> f32 {
        xs.product() + nothing
    }
}
