accelerate! {
    pub fn a(x: &Vector<f32>) -> f32 {
        x.fold(0, |a, b| a + b)
    }

    pub fn b(x: f32) -> f32 {
        x * 2
    }

    pub fn c() -> Vector<f32> {
        linspace(0, 10, 3)
    }
}
