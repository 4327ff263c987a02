accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let mut ys = xs.map(|x| x);
        for i in 0..xs.len() {
            ys[i] = xs[i] * 2.0;
        }
        ys
    }
}
