accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let kept = xs.filter(|x| x > 0.0);
        kept.scan1(|a, b| a + b)
    }
}
