accelerate! {
    #[fused(kernels = 1)]
    pub fn shares(xs: &Vector<f32>) -> Vector<f32> {
        let total = xs.sum();
        xs.map(|x| x / total)
    }
}
