accelerate! {
    #[fused(kernels = 1)]
    pub fn blur(xs: &Vector<f32>) -> Vector<f32> {
        let curved = xs.map(|x| x.powf(2.2).ln_1p().sin().exp());
        xs.map_indexed(|i, _| {
            let mut sum = 0.0;
            for d in 0..25 {
                sum += curved[(i + d).min(xs.len() - 1)];
            }
            sum
        })
    }
}
