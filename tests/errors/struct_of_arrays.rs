accelerate! {
    struct State {
        positions: Vector<f32>,
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
