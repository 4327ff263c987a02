//! A Rust function of another type than the foreign function has.

use accelerate::foreign::{Stream, View, ViewMut};
use accelerate::{Device, Vector, accelerate};

fn fast(_: &Stream, _: View<f64, 1>, _: ViewMut<f64, 1>) -> accelerate::Result<()> {
    Ok(())
}

accelerate! {
    #[foreign(rust = fast)]
//~                  ^ error[E0308]: mismatched types: expected fn pointer, found fn item
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }

    pub fn quadrupled(xs: &Vector<f32>) -> Vector<f32> {
        doubled(xs).map(|x| x * 2.0)
    }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    quadrupled(&device, &Vector::from_vec(&device, vec![1.0f32, 3.0])?)?;
    Ok(())
}
