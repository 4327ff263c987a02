accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let kept = xs.sort_by(|a, b| a < b);
        kept.scan1(|a, b| a + b)
    }
}
