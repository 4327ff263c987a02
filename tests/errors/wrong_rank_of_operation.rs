accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.rows().map(|row| row.sum())
    }
}
