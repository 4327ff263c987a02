accelerate! {
    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(2)
    }
}
