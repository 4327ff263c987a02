//! A struct by value is a kernel argument.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub struct Affine {
        scale: f64,
        offset: f64,
    }

    fn apply(f: Affine, x: f64) -> f64 {
        f.scale * x + f.offset
    }

    pub fn transform(xs: &Vector<f64>, f: Affine) -> Vector<f64> {
        xs.map(|x| apply(f, x))
    }
}
