accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.revrese()
    }
}
