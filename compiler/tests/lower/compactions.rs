//! What compactions mean: what is kept, in order, and what fails.

use super::{integers, run, vector};

#[test]
fn every_form() {
    let xs = [integers(&[3, -1, 0, 0, 7, 7, -2])];
    for (body, expected) in [
        ("xs.filter(|x| x > 0)", vec![3.0, 7.0, 7.0]),
        ("xs.filter(|_| false)", vec![]),
        (
            "xs.filter(|x| x < 5 && x != 0).map(|x| x * 2)",
            vec![6.0, -2.0, -4.0],
        ),
        (
            "xs.filter_map(|x| if x != 0 { Some(42 / x) } else { None })",
            vec![14.0, -42.0, 6.0, 6.0, -21.0],
        ),
        ("xs.partition(|x| x > 0).1", vec![-1.0, 0.0, 0.0, -2.0]),
        (
            "xs.indices_of(|x| x == 7).map(|i| i as i32)",
            vec![4.0, 5.0],
        ),
        ("xs.dedup()", vec![3.0, -1.0, 0.0, 7.0, -2.0]),
        (
            "xs.filter(|x| x >= 0).filter(|x| x > 0).dedup()",
            vec![3.0, 7.0],
        ),
        (
            "(0..5).filter(|i| i % 2 == 0).map(|i| i as i32)",
            vec![0.0, 2.0, 4.0],
        ),
    ] {
        let source = format!("pub fn f(xs: &Vector<i32>) -> Vector<i32> {{ {body} }}");
        assert_eq!(run(&source, &[], &xs), Ok(expected), "{body}");
    }
}

#[test]
fn folds() {
    let xs = [vector(&[1.5, -2.0, 4.0, -8.0])];
    for (body, expected) in [
        ("xs.filter(|x| x < 0.0).sum()", -10.0),
        ("xs.filter(|x| x < 0.0).fold(100.0, |_, x| x)", -8.0),
        ("xs.filter(|x| x > 9.0).fold(100.0, |_, x| x)", 100.0),
        ("xs.filter(|x| x < 0.0).len() as f64", 2.0),
        ("xs.filter(|x| x < 0.0).mean()", -5.0),
        ("xs.filter(|x| x < 0.0).max()", -2.0),
    ] {
        let source = format!("pub fn f(xs: &Vector<f64>) -> f64 {{ {body} }}");
        assert_eq!(run(&source, &[], &xs), Ok(vec![expected]), "{body}");
    }
    let none = "pub fn f(xs: &Vector<f64>) -> f64 { xs.filter(|x| x > 9.0).max() }";
    assert!(run(none, &[], &xs).is_err());
}

#[test]
fn elements_fail_only_where_they_are_kept() {
    let xs = [integers(&[1, 0, 2])];
    let kept = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.filter(|x| x != 0).map(|x| 2 / x) }";
    assert_eq!(run(kept, &[], &xs), Ok(vec![2.0, 1.0]));
    let condition = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.filter(|x| 2 / x == 1) }";
    assert!(run(condition, &[], &xs).is_err());
}
