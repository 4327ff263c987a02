accelerate! {
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| lerp(x, 1.0))
    }
}
