accelerate! {
    #[fused(bytes = 4 * zs.len())]
    pub fn double(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }

    #[fused(bytes = 8 * m.shape().2)]
    pub fn triple(m: &Matrix<f32>) -> Matrix<f32> {
        m.map(|x| x * 3.0)
    }

    #[fused(bytes = xs.len() / 2)]
    pub fn half(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x / 2.0)
    }
}
