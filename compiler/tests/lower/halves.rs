//! Floats of 16 bits: where what is computed with them is rounded.

use super::{program, run, vector};
use accelerate_compiler::ir::eval::{Output, eval_perturbed};
use accelerate_compiler::sorted::SortedSet;

#[test]
fn each_operation_is_rounded_once() {
    let xs = [2048.0, 2050.0, -1.0, 0.5];
    let cases: [(&str, &[f64]); 6] = [
        // Of two as near, the even one.
        ("x as f16 + 1.0", &[2048.0, 2052.0, 0.0, 1.5]),
        ("(x as f16).mul_add(1.0, 1.0)", &[2048.0, 2052.0, 0.0, 1.5]),
        ("-(x as bf16 + 1.0)", &[-2048.0, -2048.0, 0.0, -1.5]),
        (
            "(x as f16 * 32.0).min(f16::MAX)",
            &[65504.0, 65504.0, -32.0, 16.0],
        ),
        (
            "((x as f16).abs() / 2048.0).sqrt().round()",
            &[1.0, 1.0, 0.0, 0.0],
        ),
        (
            "f16::from_bits((x as f16).to_bits() & 0x7fff)",
            &[2048.0, 2050.0, 1.0, 0.5],
        ),
    ];
    for (expr, expected) in cases {
        let source =
            format!("pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.map(|x| ({expr}) as f64) }}");
        assert_eq!(
            run(&source, &[], &[vector(&xs)]),
            Ok(expected.to_vec()),
            "{expr}"
        );
    }
}

#[test]
fn a_double_is_rounded_once() {
    // A little above the middle of two; as an `f32` it is the middle.
    let x = 1.0 + f64::powi(2.0, -11) + f64::powi(2.0, -40);
    let source = "pub fn f(xs: &Vector<f64>) -> Vector<f64> { xs.map(|x| x as f16 as f64) }";
    let above = 1.0 + f64::powi(2.0, -10);
    let found = run(source, &[], &[vector(&[x, -x, 1.0 + f64::powi(2.0, -11)])]);
    assert_eq!(found, Ok(vec![above, -above, 1.0]));
}

#[test]
fn sums_and_products_are_rounded_at_the_end() {
    let cases: [(&str, &[f64]); 8] = [
        ("fill(4096, 1.0_f16).sum()", &[4096.0]),
        ("fill(100_000, 2.0_f16).mean()", &[2.0]),
        // 33 * 63 is 2079, which is no `f16`.
        ("vector(33.0, -2048.0).dot(&vector(63.0, 1.0))", &[31.0]),
        (
            "row(33.0, -2048.0).matvec(&vector(63.0, 1.0)).sum()",
            &[31.0],
        ),
        (
            "row(33.0, -2048.0).matmul(&row(63.0, 1.0).transpose()).sum_all()",
            &[31.0],
        ),
        ("fill(3000, 1.0_f16).cumsum()[2999]", &[3000.0]),
        ("fill(3000, 1.0_f16).cumsum()[2048]", &[2048.0]),
        ("linspace(0.0_f16, 1.0, 70_001)[35_000]", &[0.5]),
    ];
    for (expr, expected) in cases {
        let source = format!(
            "fn vector(a: f16, b: f16) -> Vector<f16> {{ generate(2, |i| if i == 0 {{ a }} else {{ b }}) }}
            fn row(a: f16, b: f16) -> Matrix<f16> {{ vector(a, b).reshape((1, 2)) }}
            pub fn f() -> Vector<f64> {{ let x = {expr}; fill(1, x as f64) }}"
        );
        assert_eq!(run(&source, &[], &[]), Ok(expected.to_vec()), "{expr}");
    }
}

#[test]
fn they_are_sorted_as_numbers() {
    let source = "pub fn f(xs: &Vector<f64>) -> Vector<f64> {
        let halves = xs.map(|x| x as f16);
        halves.sort().concat(halves.top_k(2)).map(|x| x as f64)
    }";
    let found = run(source, &[], &[vector(&[2.0, -1.0, 0.5, -3.0])]);
    assert_eq!(found, Ok(vec![-3.0, -1.0, 0.5, 2.0, 2.0, 0.5]));
}

/// What tests may call right.
#[test]
fn sums_by_closures_are_off_by_units_of_their_own() {
    let source =
        "pub fn f(xs: &Vector<f64>) -> f64 { xs.map(|x| x as f16).fold1(|a, b| a + b) as f64 }";
    let program = program(source);
    let mut seen = SortedSet::new();
    for seed in 1..100 {
        let outputs = eval_perturbed(&program, &[], &[vector(&[1.0, 1.0])], seed);
        let Ok([Output::Scalar(leaves)]) = outputs.as_deref() else {
            panic!("{outputs:?}");
        };
        seen.insert(leaves[0].bits);
    }
    let units = [-f64::powi(2.0, -10), 0.0, f64::powi(2.0, -9)];
    assert_eq!(seen, units.map(|unit| (2.0 + unit).to_bits()).into());
}
