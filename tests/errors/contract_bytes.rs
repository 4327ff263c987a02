accelerate! {
    #[fused(bytes = 4 * (xs.len() + ys.len()))]
    pub fn triad(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        zip_with(xs, ys, |x, y| x + 2.0 * y)
    }
}
