//! Comparisons and sorts by them, each as Rust's own.

use super::{integers, program, refused, run, vector};
use std::cmp::Ordering;

const NUMBERS: [i32; 9] = [5, -3, 8, 0, -3, 7, 5, 2, -8];

fn numbers(order: impl Fn(&i32, &i32) -> Ordering) -> Vec<f64> {
    let mut sorted = NUMBERS.to_vec();
    sorted.sort_by(order);
    sorted.into_iter().map(f64::from).collect()
}

#[test]
fn sorts_by_comparisons() {
    type Case = (&'static str, fn(&i32, &i32) -> Ordering);
    let cases: [Case; 9] = [
        ("|a, b| a.cmp(b)", |a, b| a.cmp(b)),
        ("|a, b| b.cmp(&a)", |a, b| b.cmp(a)),
        ("i32::cmp", i32::cmp),
        ("|a, b| a.cmp(&b).reverse()", |a, b| a.cmp(b).reverse()),
        (
            "|&a, &b| (a % 3).cmp(&(b % 3)).then(b.cmp(&a))",
            |&a, &b| (a % 3).cmp(&(b % 3)).then(b.cmp(&a)),
        ),
        (
            "|a, b| a.abs().cmp(&b.abs()).then_with(|| b.cmp(a)).reverse()",
            |a, b| a.abs().cmp(&b.abs()).then_with(|| b.cmp(a)).reverse(),
        ),
        ("|a, b| a.partial_cmp(b).unwrap()", |a, b| {
            a.partial_cmp(b).unwrap()
        }),
        (
            "|a, b| match (a & 1).cmp(&(b & 1)) { Ordering::Equal => b.cmp(a), other => other }",
            |a, b| match (a & 1).cmp(&(b & 1)) {
                Ordering::Equal => b.cmp(a),
                other => other,
            },
        ),
        (
            "|a, b| if a > b { Ordering::Less } else if a == b { Ordering::Equal } else { std::cmp::Ordering::Greater }",
            |a, b| b.cmp(a),
        ),
    ];
    for (closure, order) in cases {
        let source =
            format!("pub fn f(xs: &Vector<i32>) -> Vector<i32> {{ xs.sort_by({closure}) }}");
        let found = run(&source, &[], &[integers(&NUMBERS)]).expect("no failure");
        assert_eq!(found, numbers(order), "{closure}");
    }
}

#[test]
fn comparisons_of_keys_are_sorts_by_keys() {
    let sorted = |closure: &str| {
        let source = format!(
            "pub fn f(xs: &Vector<(i16, f32, u64)>) -> Vector<(i16, f32, u64)> {{ xs.sort_by({closure}) }}"
        );
        program(&source).to_string()
    };
    for (closure, keys) in [
        ("|a, b| a.1.total_cmp(&b.1)", "by 1)"),
        ("|a, b| b.0.cmp(&a.0)", "by 1)"),
        ("|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1))", "by 2)"),
        ("|a, b| (a.0 * 3).cmp(&(b.0 * 3)).reverse()", "by 1)"),
        // Of more than eight bytes, of other things, of one element only.
        ("|a, b| b.0.cmp(&a.0).then(a.2.cmp(&b.2))", "by |"),
        ("|a, b| a.1.partial_cmp(&b.1).unwrap()", "by |"),
        ("|a, b| (a.0 * 3).cmp(&b.0)", "by |"),
        ("|a, b| a.0.cmp(&b.0).then(a.0.cmp(&7))", "by |"),
    ] {
        let text = sorted(closure);
        assert!(text.contains(keys), "{closure}: {text}");
    }
}

#[test]
fn floats_have_a_partial_order_and_a_total_one() {
    let xs = [0.0, -0.0, f64::NAN, 1.0, f64::INFINITY, -f64::NAN];
    for (method, order) in [
        ("a.total_cmp(&b)", None),
        ("a.partial_cmp(&b).unwrap_or(Ordering::Greater)", Some(())),
    ] {
        let source = format!(
            "pub fn f(xs: &Vector<f64>) -> Matrix<i32> {{ xs.map(|a| xs.map(|b| {method} as i32)) }}"
        );
        let found = run(&source, &[], &[vector(&xs)]).expect("no failure");
        let both = xs.iter().flat_map(|a| xs.iter().map(move |b| (a, b)));
        let expected = both.map(|(a, b)| match order {
            None => a.total_cmp(b),
            Some(()) => a.partial_cmp(b).unwrap_or(Ordering::Greater),
        });
        let expected: Vec<f64> = expected.map(|order| f64::from(order as i32)).collect();
        assert_eq!(found, expected, "{method}");
    }
}

#[test]
fn tuples_are_compared_field_by_field() {
    let xs = [0.0, f64::NAN, 1.0];
    let source = "pub fn f(xs: &Vector<f64>) -> Matrix<i32> {
        xs.map(|a| xs.map(|b| match (a, b).partial_cmp(&(1.0, a)) {
            None => 9,
            Some(order) => if order.is_ge() { 1 } else { order as i32 },
        }))
    }";
    let found = run(source, &[], &[vector(&xs)]).expect("no failure");
    let both = xs.iter().flat_map(|a| xs.iter().map(move |b| (a, b)));
    let expected = both.map(|(a, b)| match (a, b).partial_cmp(&(&1.0, a)) {
        None => 9.0,
        Some(order) if order.is_ge() => 1.0,
        Some(order) => f64::from(order as i32),
    });
    assert_eq!(found, expected.collect::<Vec<f64>>());
}

#[test]
fn what_fails_in_a_comparison_fails_the_sort() {
    let source = "pub fn f(xs: &Vector<f64>) -> Vector<f64> { xs.sort_by(|a, b| a.partial_cmp(b).unwrap()) }";
    let failed = run(source, &[], &[vector(&[1.0, f64::NAN, 0.0])]);
    assert_eq!(failed, Err("`unwrap` of `None`".to_owned()));
    // Nothing is compared.
    let one = run(source, &[], &[vector(&[f64::NAN])]).expect("no failure");
    assert!(one[0].is_nan());
}

#[test]
fn a_comparison_depends_on_its_elements_only() {
    let source = "pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.sort_by(|a, b| if a < b { Ordering::Less } else { row[0].total_cmp(b) }))
    }";
    assert_eq!(
        refused(source),
        "not supported yet: a comparison that depends on the element or row around it"
    );
}
