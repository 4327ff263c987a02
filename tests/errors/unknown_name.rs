accelerate! {
    pub fn f(values: &Vector<f32>) -> f32 {
        vlaues.sum()
    }
}
