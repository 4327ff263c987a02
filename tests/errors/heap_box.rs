accelerate! {
    fn g(x: Box<f32>) -> f32 {
        *x
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
