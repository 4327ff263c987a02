//! Several functions with errors beside one without.

use accelerate::{Device, Vector, accelerate};

accelerate! {
    pub fn added(xs: &Vector<f32>, ys: &Vector<f64>) -> Vector<f64> {
        zip((xs, ys)).map(|(x, y)| x + y)
//~                                  ^ error: cannot add `f64` to `f32`
    }

    pub fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }

    pub fn plain(n: u32) -> u32 {
        n + true
//~       ^ error: cannot add `bool` to `u32`
    }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let xs = Vector::from_vec(&device, vec![1.0f32, 3.0])?;
    let ys = Vector::from_vec(&device, vec![1.0f64, 3.0])?;
    added(&device, &doubled(&device, &xs)?, &ys)?;
    println!("{}", plain(1) + 1);
    Ok(())
}
