accelerate! {
    #[fused(kernels = 1)]
    pub fn apart(xs: &Vector<f32>, m: &Matrix<f32>) -> (Vector<f32>, Matrix<f32>) {
        let roots = xs.map(|x| x.sqrt());
        let logs = m.map(|x| x.ln());
        (roots, logs)
    }
}
