//! Functions called as types: they work, and so does what has the types' names.

use accelerate::{Device, Vector, accelerate};

accelerate! {
    pub struct Pair { pub sum: f32, pub len: usize }

    pub fn f32(xs: &Vector<f32>, usize: usize) -> f32 {
//~        ^ warning: use of deprecated constant `_::accelerate_warning`: this function has no `f32::PLAN`: `f32` is a primitive type
        xs.sum() + usize as f32
    }

    pub fn bool(xs: &Vector<bool>) -> Vector<bool> {
//~        ^ warning: use of deprecated constant `_::accelerate_warning`: this function has no `bool::PLAN`: `bool` is a primitive type
        xs.map(|x| !x)
    }

    pub fn Pair(xs: &Vector<f32>) -> Vector<Pair> {
//~        ^ warning: use of deprecated constant `_::accelerate_warning`: this function has no `Pair::PLAN`: `Pair` is a type of this block
        xs.map(|x| Pair { sum: x, len: 1 })
    }

    pub fn str(x: i32) -> i32 {
        x / 2
    }

    pub fn usize(xs: &Vector<u64>) -> usize {
        xs.len() + missing
//~                ^ error: unknown name `missing`
    }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let xs = Vector::from_vec(&device, vec![1.0f32, 2.0])?;
    let sum: f32 = f32(&device, &xs, 3usize)?;
    let not: Vec<bool> = bool(&device, &Vector::from_vec(&device, vec![true])?)?.to_vec()?;
    let pairs: Vec<Pair> = Pair(&device, &xs)?.to_vec()?;
    let len: usize = usize(&device, &Vector::from_vec(&device, vec![1u64])?)?;
    let text: &str = if not[0] { "a" } else { "b" };
    println!("{sum} {len} {text} {} {}", pairs[0].sum, str(3));
    Ok(())
}
