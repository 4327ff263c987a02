accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip(ys).map(|x, y| x * y)
    }
}
