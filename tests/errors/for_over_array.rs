accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let mut total = 0.0;
        for x in xs {
            total += x;
        }
        total
    }
}
