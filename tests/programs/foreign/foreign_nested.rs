//! A foreign function whose body calls another one.
//!
//! shapes: xs n
//! values: xs -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    #[foreign(rust = crate::foreign::quadrupled)]
    fn quadrupled(xs: &Vector<f32>) -> Vector<f32> {
        doubled(&doubled(xs))
    }

    pub fn foreign_nested(xs: &Vector<f32>) -> Vector<f32> {
        quadrupled(xs).reverse()
    }
}
