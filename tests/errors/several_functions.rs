accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.summ()
    }

    pub fn g(xs: &Vector<f32>) -> f32 {
        let y = xs.first() + 1u32;
        y.sqrt().floor() + y
    }

    pub fn h(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
