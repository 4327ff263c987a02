accelerate! {
    pub fn f(xs: &Vector<(f32, f32, f32)>) -> Vector<f32> {
        xs.map(|(a, b)| a + b)
    }
}
