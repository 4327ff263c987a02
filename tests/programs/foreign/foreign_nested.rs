//! A foreign function whose body calls another one; a public one; one that hands its argument on; one whose result no element
//! needs.
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

    #[foreign(rust = crate::foreign::doubled)]
    pub fn foreign_public(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    #[foreign(rust = crate::foreign::copied)]
    fn copied(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }

    pub fn foreign_without_kernels(xs: &Vector<f32>) -> Vector<f32> {
        let _ = doubled(xs);
        copied(xs)
    }

    pub fn foreign_read(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> {
        let twice = doubled(xs);
        at.map(|i| if i < twice.len() { twice[i] } else { -1.0 })
    }
}
