accelerate! {
    fn square(x: f32) -> f32 {
        x * x
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| sqare(x))
    }
}
