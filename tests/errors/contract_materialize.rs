accelerate! {
    #[fused(kernels = 1)]
    pub fn twice(xs: &Vector<f32>) -> Vector<f32> {
        let doubled = xs.map(|x| x * 2.0).materialize();
        doubled.map(|x| x + 1.0)
    }
}
