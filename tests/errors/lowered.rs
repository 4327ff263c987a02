accelerate! {
    pub fn differences(x: &Vector<f32>) -> f32 {
        x.fold1(|a, b| a - b)
    }

    pub fn counted(x: &Vector<f32>) -> u32 {
        x.fold(0, |n, y| if y > 0.0 { n + 1 } else { n * 2 })
    }

    #[fused(bytes = 4 * m.shape())]
    pub fn extents(m: &Matrix<f32>) -> f32 {
        m.sum_all()
    }

    #[fused(bytes = 4 * m.len())]
    pub fn stored(m: &Vector<f32>) -> f32 {
        m.map(|x| x + 1.0).materialize().sum()
    }
}
