//! An error in an expression; the rest of its function type-checks.

use accelerate::{Device, Vector, accelerate};

fn root(device: &Device, xs: &Vector<f32>) -> accelerate::Result<f32> {
    accelerate!(device, |xs: &Vector<f32>| -> f32 { xs.sums().sqrt() })
//~                                                    ^ error: no operation `sums` on `Vector<f32>`
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let xs = Vector::from_vec(&device, vec![1.0f32, 3.0])?;
    println!("{}", root(&device, &xs)? + 1.0);
    Ok(())
}
