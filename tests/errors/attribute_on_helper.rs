accelerate! {
    #[fast_math]
    fn half(x: f32) -> f32 {
        x / 2.0
    }
    #[fast_math]
    fn third<T: Float>(x: T) -> T {
        x / 3.0
    }
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.map(|x| half(x) + third(x)).sum()
    }
}
