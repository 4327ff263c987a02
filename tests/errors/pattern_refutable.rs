accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let Some(x) = xs.get(0);
        x
    }
}
