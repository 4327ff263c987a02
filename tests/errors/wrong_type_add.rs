accelerate! {
    pub fn f(xs: &Vector<f32>, scale: f64) -> Vector<f64> {
        xs.map(|x| scale + x)
    }
}
