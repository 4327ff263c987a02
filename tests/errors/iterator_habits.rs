accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.iter().map(|x| x * 2.0).collect()
    }
}
