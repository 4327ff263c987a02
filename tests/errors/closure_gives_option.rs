accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| ys.get(x as usize))
    }
}
