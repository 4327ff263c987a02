accelerate! {
    #[fused(kernels = ONE)]
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
