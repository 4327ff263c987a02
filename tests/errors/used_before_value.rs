accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let y;
            if x > 0.0 {
                y = x;
            }
            y
        })
    }
}
