//! Operators of folds.

use super::{integers, program, refused, run, vector};

#[test]
fn a_mapping_operator_is_a_map_and_a_fold() {
    let source = "pub fn f(xs: &Vector<i32>) -> (f64, i32) {
        xs.fold((0.5, 1i32), |(sum, most), x| (sum + x as f64 * 2.0, most.max(x * x)))
    }";
    assert_eq!(run(source, &[], &[integers(&[1, -3])]), Ok(vec![-3.5, 9.0]));
    assert!(program(source).to_string().contains("max"));
}

#[test]
fn an_operator_that_associates_is_kept() {
    let source = "pub fn f(xs: &Vector<(i32, i32)>) -> (i32, i32) {
        xs.fold1(|(a, b), (c, d)| (a * c, b * c + d))
    }";
    let mut xs = integers(&[2, 3]);
    xs.leaves.push(integers(&[1, 5]).leaves.remove(0));
    assert_eq!(run(source, &[], &[xs]), Ok(vec![6.0, 8.0]));
}

#[test]
fn a_counterexample_is_shown() {
    let message = refused("pub fn f(xs: &Vector<i32>) -> i32 { xs.fold1(|a, b| a - b) }");
    assert!(
        message.starts_with("this operator is not associative: with a = "),
        "{message}"
    );
    let message = refused("pub fn f(xs: &Vector<f64>) -> f64 { xs.fold1(|a, b| (a + b) / 2.0) }");
    assert!(message.contains("not associative"), "{message}");
    let source =
        "#[associative] pub fn f(xs: &Vector<f64>) -> f64 { xs.fold1(|a, b| (a + b) / 2.0) }";
    assert_eq!(run(source, &[], &[vector(&[1.0, 3.0])]), Ok(vec![2.0]));
}

#[test]
fn types_that_differ_need_a_map() {
    let message =
        refused("pub fn f(xs: &Vector<i32>) -> f64 { xs.fold(0.0, |a, x| a * 2.0 + x as f64) }");
    assert!(message.contains("different types"), "{message}");
}
