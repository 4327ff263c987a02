accelerate! {
    fn g(x: f32) -> f32 {
        x
    }

    fn g(x: f32) -> f32 {
        x + 1.0
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(g)
    }
}
