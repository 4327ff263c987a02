accelerate! {
    pub fn f(xs: &Vector<f32>, start: Option<f32>) -> (f32, Option<f32>) {
        (xs.sum(), xs.get(0))
    }
}
