accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let mut out = Vec::new();
        out
    }
}
