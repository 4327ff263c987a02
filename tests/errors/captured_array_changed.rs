accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let mut ys = fill(xs.len(), 0.0);
        iota(xs.len()).map(|i| ys[i] = xs[i]);
        ys
    }
}
