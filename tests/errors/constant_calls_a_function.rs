accelerate! {
    fn two() -> f32 {
        2.0
    }

    const TWO: f32 = two();

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * TWO)
    }
}
