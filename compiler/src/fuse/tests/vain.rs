//! What may fail runs only where somebody meets it: programs, as text, some of whose arrays are empty.

use super::agree;
use super::build::numbers;
use super::corpus::programs;
use crate::ir::eval::Array;
use crate::pass;

/// The plans of a function of arrays of `f32`, simplified or not, mean what it means, on all arrays of these extents.
fn agree_on(function: &str, extents: &[&[&[u64]]]) {
    let text = format!("accelerate! {{ {function} }}");
    for program in programs(&text) {
        for extents in extents {
            let arrays: Vec<Array> = extents.iter().map(|extents| numbers(extents)).collect();
            agree(&program, &[(&[], &arrays)]);
            let simple = pass::run(program.clone(), &pass::Options::default());
            agree(&simple, &[(&[], &arrays)]);
        }
    }
}

#[test]
fn points_of_a_scatter_into_nothing() {
    let function = "pub fn f(a: &Vector<f32>, m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m.scatter(|l, r| l.min(r), xs, |i, _| Some((i % m.shape().0, {
            let mut s = 0_usize;
            for q in 0..1_usize { s = a.map(|_| q).sum(); }
            s
        } % m.shape().1)))
    }";
    let all: &[&[&[u64]]] = &[
        &[&[1], &[2, 0], &[2]],
        &[&[1], &[0, 2], &[2]],
        &[&[1], &[2, 3], &[0]],
        &[&[1], &[2, 3], &[2]],
    ];
    agree_on(function, all);
}
