//! What is wrong with a helper is told once, however many functions call it.

accelerate! {
    fn left_over(xs: &Vector<f32>) -> f32 {
        xs.fold1(|a, b| a - b)
    }

    pub fn one(xs: &Vector<f32>) -> f32 {
        left_over(xs)
    }

    pub fn more(xs: &Vector<f32>) -> f32 {
        left_over(xs) + 1.0
    }
}
