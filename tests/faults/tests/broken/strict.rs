//! Nothing wrong, under the strictest lints, with every name imported that a block may name.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, clippy::all)]

use accelerate::{Cube, Device, Matrix, Scalar, Vector, accelerate};

/// A matrix of the program's own.
pub mod own {
    use accelerate::accelerate;

    /// Not the language's.
    pub struct Matrix;

    accelerate! {
        /// The sum of each row.
        pub fn sums(m: &Matrix<f32>) -> Vector<f32> { m.rows().map(|row| row.sum()) }
    }
}

accelerate! {
    /// Largest of all.
    pub fn largest(c: &Cube<f32>) -> Scalar<f32> {
        fill((), c.flatten().fold(0.0, |a, b| a.max(b)))
    }

    /// Same.
    pub(crate) fn flat(c: &Cube<f32>) -> Matrix<f32> { c.reshape((1, c.len())) }

    /// A vector.
    pub struct Step {
        /// How far.
        pub by: f32,
    }

    /// The way.
    pub fn way(steps: &Vector<Step>) -> f32 { steps.map(|step| step.by).sum() }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let cube = Array::from(&device)?;
    println!("{}", largest(&device, &cube)?.value()?);
    println!("{}", own::sums(&device, &flat(&device, &cube)?)?.get(0)?);
    let _ = (own::Matrix, way(&device, &Vector::from_vec(&device, vec![Step { by: 1.0 }])?)?);
    Ok(())
}

/// A name of the language's that is the program's own here.
struct Array;

impl Array {
    fn from(device: &Device) -> accelerate::Result<Cube<f32>> {
        Cube::from_vec(device, (1, 1, 2), vec![1.0, 2.0])
    }
}
