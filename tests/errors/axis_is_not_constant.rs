accelerate! {
    pub fn f(m: &Matrix<f32>, k: usize) -> Vector<f32> {
        m.sum_axis(k)
    }
}
