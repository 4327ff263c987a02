accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        match xs.get(0) {
            Some(x) if x > 0.0 => x,
            None => 0.0,
        }
    }
}
