accelerate! {
    #[fused(kernels = 1)]
    pub fn choose(xs: &Vector<f32>, n: u32) -> f32 {
        let chosen = if n > 2 { xs.map(|x| x.sqrt()) } else { xs.reverse() };
        chosen.sum()
    }
}
