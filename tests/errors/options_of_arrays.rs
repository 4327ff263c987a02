accelerate! {
    struct Held {
        xs: Option<Vector<f32>>,
    }

    struct Chain {
        next: Option<Chain>,
    }

    pub fn parameter(xs: Option<Vector<f32>>) -> f32 {
        0.0
    }

    pub fn result(xs: &Vector<f32>) -> Option<Segmented<f32>> {
        None
    }
}
