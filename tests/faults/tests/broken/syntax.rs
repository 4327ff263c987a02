//! An item that is no Rust; the others are compiled.

use accelerate::{Device, Vector, accelerate};

accelerate! {
    pub fn broken(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + )
//~                    ^ error: unexpected end of input, expected an expression
    }

    pub fn good(xs: &Vector<f32>) -> f32 { xs.sum() }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let xs = Vector::from_vec(&device, vec![1.0f32, 3.0])?;
    let sum: f32 = good(&device, &broken(&device, &xs)?)?;
    println!("{sum}");
    Ok(())
}
