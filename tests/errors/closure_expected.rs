accelerate! {
    pub fn f(xs: &Vector<f32>, k: f32) -> Vector<f32> {
        xs.map(k)
    }
}
