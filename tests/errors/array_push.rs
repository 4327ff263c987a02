accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let mut ys = xs.clone();
        ys.push(1.0);
        ys
    }
}
