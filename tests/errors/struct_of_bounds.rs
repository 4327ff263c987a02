accelerate! {
    struct State {
        x: f32 +,
        y: impl Copy + Send,
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| State { x, y: x }.x)
    }
}
