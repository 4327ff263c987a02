accelerate! {
    struct Nameless {
        x: f32,
        _: f32,
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
