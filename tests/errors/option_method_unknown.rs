accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let a = xs.get(0).ok_or(1);
        let b = xs.get(0).unwrap_or_els(|| 0.0);
        xs.get(0).map(|x| xs).map_or(0.0, |ys| ys.sum())
    }
}
