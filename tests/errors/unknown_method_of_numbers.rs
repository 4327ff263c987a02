accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.sqroot())
    }
}
