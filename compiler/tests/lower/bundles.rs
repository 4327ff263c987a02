//! Bundles against the tuples of arrays that they stand for.

use super::{program, run, vector};
use accelerate_compiler::scalar::Scalar;

const BUNDLES: &str = "struct Inner { ys: Vector<f64>, k: f64 }
    struct Outer { xs: Vector<f64>, inner: Inner }
    impl Add for Inner { type Output = Inner; fn add(self, o: Inner) -> Inner { Inner { ys: self.ys + o.ys, k: self.k + o.k } } }
    impl Outer { fn swapped(self) -> Outer { Outer { xs: self.inner.ys, inner: Inner { ys: self.xs, ..self.inner } } } }";

fn outer(body: &str, scalars: &[Scalar], xs: &[f64], ys: &[f64]) -> Result<Vec<f64>, String> {
    let source = format!("{BUNDLES} pub fn f(o: Outer, n: f64) -> Outer {{ {body} }}");
    run(&source, scalars, &[vector(xs), vector(ys)])
}

#[test]
fn fields_are_parameters_and_results_in_order() {
    let text = program(&format!(
        "{BUNDLES} pub fn f(o: &Outer) -> Inner {{ o.inner }}"
    ))
    .to_string();
    assert!(
        text.starts_with(
            "program f(o.xs: [n]f64, o.inner.ys: [m]f64, o.inner.k: f64) -> ([m]f64, f64)"
        ),
        "{text}"
    );
}

#[test]
fn fields_are_read_replaced_and_assigned() {
    let scalars = [0.5, 3.0].map(Scalar::f64);
    let (xs, ys) = (&[1.0, 2.0], &[3.0, 4.0]);
    let cases: [(&str, &[f64]); 6] = [
        ("o", &[1.0, 2.0, 3.0, 4.0, 0.5]),
        ("o.swapped()", &[3.0, 4.0, 1.0, 2.0, 0.5]),
        (
            "Outer { inner: o.inner + Inner { ys: o.xs, k: n }, ..o }",
            &[1.0, 2.0, 4.0, 6.0, 3.5],
        ),
        (
            "let mut o = o; o.inner.k += n; o.xs = o.xs * o.inner.k; o",
            &[3.5, 7.0, 3.0, 4.0, 3.5],
        ),
        (
            "let Outer { xs, inner: Inner { ys, .. } } = o; Outer { xs: ys, inner: Inner { ys: xs, k: n } }",
            &[3.0, 4.0, 1.0, 2.0, 3.0],
        ),
        (
            "if n > 2.0 { o.swapped() } else { o }",
            &[3.0, 4.0, 1.0, 2.0, 0.5],
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(
            outer(body, &scalars, xs, ys),
            Ok(expected.to_vec()),
            "{body}"
        );
    }
}

#[test]
fn a_loop_carries_a_bundle_whose_lengths_change() {
    let body = "let mut o = o; let mut i = 0.0;
        while i < n { o = o.swapped(); o.xs = o.xs.concat(o.xs); o.inner.k *= 2.0; i += 1.0; } o";
    for (rounds, expected) in [
        (0.0, vec![1.0, 2.0, 0.5]),
        (1.0, vec![2.0, 2.0, 1.0, 1.0]),
        (2.0, vec![1.0, 1.0, 2.0, 2.0, 2.0]),
        (3.0, vec![2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 4.0]),
    ] {
        let scalars = [0.5, rounds].map(Scalar::f64);
        assert_eq!(
            outer(body, &scalars, &[1.0], &[2.0]),
            Ok(expected),
            "{rounds}"
        );
    }
}

#[test]
fn operations_on_fields_fail_as_on_arrays() {
    let scalars = [0.5, 3.0].map(Scalar::f64);
    let body = "Outer { xs: o.xs + o.inner.ys, ..o }";
    assert_eq!(
        outer(body, &scalars, &[1.0], &[1.0, 2.0]),
        Err("`+` of arrays of lengths 1 and 2".to_owned())
    );
}
