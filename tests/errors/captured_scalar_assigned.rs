accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let mut total = 0.0;
        let ys = xs.map(|x| {
            total += x;
            total
        });
        ys.sum()
    }
}
