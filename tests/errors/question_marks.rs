accelerate! {
    pub fn number(xs: &Vector<f32>) -> f32 {
        xs.get(0)? + 1.0
    }

    pub fn nothing(xs: &Vector<f32>) -> Option<f32> {
        let x = xs[0]?;
        Some(x)
    }

    pub fn closure(xs: &Vector<f32>) -> Option<Vector<f32>> {
        Some(xs.map(|x| xs.get(x as usize)? + 1.0))
    }
}
