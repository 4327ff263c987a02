//! What foreign functions of arrays call on CUDA devices: here the host computes them, of copies of the arrays.

use accelerate::Result;
use accelerate::foreign::{Stream, View, ViewMut};

pub fn product(
    stream: &Stream,
    a: View<f32, 2>,
    b: View<f32, 2>,
    mut result: ViewMut<f32, 2>,
) -> Result<()> {
    let ([m, k], [_, n]) = (a.extents(), b.extents());
    assert_eq!((b.extents()[0], result.extents()), (k, [m, n]));
    let (a, b) = (a.to_vec(stream)?, b.to_vec(stream)?);
    let element = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    let elements: Vec<f32> = (0..m * n).map(|at| element(at / n, at % n)).collect();
    result.copy_from(stream, &elements)
}

/// Scalars come as they are in Rust.
pub fn scaled(
    stream: &Stream,
    xs: View<f32, 1>,
    by: f32,
    (shift, up): (i32, bool),
    count: usize,
    mut result: ViewMut<f32, 1>,
) -> Result<()> {
    let shift = if up { shift } else { -shift };
    let element = |x: &f32| x * by + (shift as i64 + count as i64) as f32;
    let elements: Vec<f32> = xs.to_vec(stream)?.iter().map(element).collect();
    result.copy_from(stream, &elements)
}

pub fn doubled(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    let elements: Vec<f32> = xs.to_vec(stream)?.iter().map(|x| x + x).collect();
    result.copy_from(stream, &elements)
}

/// A view for each leaf, those of the results at last.
pub fn parted(
    stream: &Stream,
    numbers: View<i32, 1>,
    flags: View<bool, 1>,
    mut evens: ViewMut<bool, 1>,
    mut halves: ViewMut<i32, 1>,
    mut most: ViewMut<i32, 0>,
) -> Result<()> {
    let (numbers, flags) = (numbers.to_vec(stream)?, flags.to_vec(stream)?);
    let pairs = numbers.iter().zip(flags);
    let even: Vec<bool> = pairs.map(|(n, flag)| (n % 2 == 0) != flag).collect();
    evens.copy_from(stream, &even)?;
    let half: Vec<i32> = numbers.iter().map(|n| n / 2).collect();
    halves.copy_from(stream, &half)?;
    most.copy_from(stream, &[numbers.iter().copied().fold(i32::MIN, i32::max)])
}

/// What is positive: as many as the body has found.
pub fn positive(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    let elements: Vec<f32> = xs
        .to_vec(stream)?
        .into_iter()
        .filter(|&x| x > 0.0)
        .collect();
    result.copy_from(stream, &elements)
}

pub fn quadrupled(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    let elements: Vec<f32> = xs.to_vec(stream)?.iter().map(|x| x * 4.0).collect();
    result.copy_from(stream, &elements)
}

pub fn copied(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    result.copy_from(stream, &xs.to_vec(stream)?)
}

pub fn sum(
    stream: &Stream,
    xs: View<f32, 1>,
    ys: View<f32, 1>,
    mut result: ViewMut<f32, 1>,
) -> Result<()> {
    assert_eq!([xs.len(), ys.len()], [result.len(); 2]);
    let (xs, ys) = (xs.to_vec(stream)?, ys.to_vec(stream)?);
    let elements: Vec<f32> = xs.iter().zip(&ys).map(|(x, y)| x + y).collect();
    result.copy_from(stream, &elements)
}
