//! A constant of Rust's by its bare name.

accelerate! {
    pub fn turn(xs: &Vector<f64>) -> Vector<f64> {
        xs.map(|x| 2.0 * PI * x)
    }
}
