accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        println!("{}", xs.len());
        xs.sum()
    }
}
