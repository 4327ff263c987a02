accelerate! {
    pub fn f(xs: &Vector<(f32, f32)>) -> (f32, f32) {
        xs.sum()
    }
}
