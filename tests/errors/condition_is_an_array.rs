accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        if xs.map(|x| x > 0.0) { 1.0 } else { 0.0 }
    }
}
