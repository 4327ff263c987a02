accelerate! {
    fn scaled(x: f32, by: f32) -> f32 {
        x * by
    }

    pub fn f(xs: &Vector<f32>, n: i32) -> Vector<f32> {
        xs.map(|x| scaled(x, n))
    }
}
