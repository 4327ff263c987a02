accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| if x > 0.0 { x } else { false })
    }
}
