//! Types by ndarray's names: one error each, whatever is called of them.

accelerate! {
    pub fn heat(m: &Array3<f32>) -> Cube<f32> {
        m.stencil(Clamp, |w| w[(0, 0, 1)])
    }
    pub fn padded(m: &Array2<f64>) -> Matrix<f64> {
        m.stencil(Constant(0.0), |w| w[(0, 1)])
    }
    pub fn numbered(xs: &Vector<f32>) -> Vector<f32> {
        xs.indexed().map(|(i, x)| x + i as f32)
    }
}
