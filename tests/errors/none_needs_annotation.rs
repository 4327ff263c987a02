accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let nothing = None;
        xs.map(|x| if nothing.is_some() { 0.0 } else { x })
    }
}
