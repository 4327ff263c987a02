accelerate! {
    #[fused(kernels = 1)]
    pub fn scale(xs: &Vector<f32>) -> Vector<f32> {
        let mut ys = xs.map(|x| x * 1.5);
        while ys.max() > 1.0 {
            ys = ys.map(|y| y * 0.5);
        }
        ys
    }
}
