accelerate! {
    fn total(m: &Matrix<f32>) -> f32 {
        m.sum_all()
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        total(xs)
    }
}
