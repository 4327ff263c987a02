accelerate! {
    pub fn summed(xs: &Vector<Option<f32>>) -> f32 {
        xs.sum()
    }

    pub fn added(xs: &Vector<Option<f32>>) -> Vector<f32> {
        xs.map(|x| x + 1.0)
    }

    pub fn tested(xs: &Vector<Option<bool>>) -> Vector<Option<bool>> {
        xs.filter(|x| x)
    }

    pub fn given(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| if x > 0.0 { Some(x) } else { None })
    }
}
