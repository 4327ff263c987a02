accelerate! {
    pub fn unsigned(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in 0..xs.len() {
                sum += w[d];
            }
            sum
        })
    }
}
