accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let kept = xs.unique();
        kept.scan1(|a, b| a + b)
    }
}
