accelerate! {
    #[fused(kernels = 1)]
    pub fn relax(xs: &Vector<f32>) -> f32 {
        let mut state = xs.map(|x| x + 1.0);
        for _ in 0..10 {
            let next = state.map(|x| x * 0.5);
            state = next;
        }
        state.sum()
    }
}
