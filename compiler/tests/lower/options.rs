//! Options as elements, fields, parameters and results: what they hold is zero where there is nothing.

use super::{integers, run, vector};
use accelerate_compiler::scalar::{Leaf, Scalar};

const NONE: f64 = 0.0;
const SOME: f64 = 1.0;

fn on(body: &str, values: &[i32]) -> Vec<f64> {
    let source = format!("pub fn f(xs: &Vector<i32>) -> {body}");
    run(&source, &[], &[integers(values)]).expect("no failure")
}

#[test]
fn what_there_is_not_is_zero() {
    let cases = [
        "xs.map(|x| if x > 0 { Some(x) } else { None })",
        "xs.map(|x| (x > 0).then_some(x))",
        "xs.map(|x| Some(x).filter(|x| x > 0))",
        "xs.map(|x| Some(x).zip(if x > 0 { Some(true) } else { None }).map(|(x, _)| x))",
        "xs.map(|x| if x > 0 { None } else { Some(x) }.xor(Some(x)))",
        "xs.map(|x| Some(x).and_then(|x| if x > 0 { Some(x) } else { None }))",
        "xs.map(|x| x.checked_sub(if x > 0 { 0 } else { i32::MAX }).filter(|_| x > 0))",
        "{ let mut out = xs.map(|_| None); for _ in 0..2 { out = xs.map(|x| if x > 0 { Some(x) } else { None }); } out }",
    ];
    for case in cases {
        let found = on(&format!("Vector<Option<i32>> {{ {case} }}"), &[3, -4, 0, 7]);
        assert_eq!(
            found,
            [SOME, NONE, NONE, SOME, 3.0, 0.0, 0.0, 7.0],
            "{case}"
        );
    }
    let compared = "Vector<Option<i32>> { xs.map(|x| {
        let y = if x < 0 { f32::NAN } else { 0.0 };
        y.partial_cmp(&-1.0).map(|order| if order.is_gt() { 1 } else { 2 })
    }) }";
    assert_eq!(on(compared, &[1, -1]), [SOME, NONE, 1.0, 0.0]);
    let equal = "Vector<(bool, bool)> { xs.map(|x| {
        let (y, none) = (x as f32, f32::NAN.partial_cmp(&1.0));
        (y.partial_cmp(&if x < 0 { f32::NAN } else { 0.0 }) == none, y.partial_cmp(&0.5) == Some(Ordering::Less))
    }) }";
    assert_eq!(on(equal, &[1, -1]), [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn options_compare_as_in_rust() {
    let body = "Vector<(bool, bool, bool, bool)> { xs.map(|x| {
        let a = if x > 0 { Some(x % 3) } else { None };
        let b = if x % 2 == 0 { Some(1) } else { None };
        (a == b, a < b, a <= b, a != b)
    }) }";
    let values = [1, 2, 3, 4, -2, -1, 5];
    let of = |x: i32| {
        let a = (x > 0).then_some(x % 3);
        let b = (x % 2 == 0).then_some(1);
        [a == b, a < b, a <= b, a != b]
    };
    let expected = (0..4).flat_map(|k| values.map(|x| f64::from(u8::from(of(x)[k]))));
    assert_eq!(on(body, &values), expected.collect::<Vec<f64>>());
    let sorted = "Vector<Option<i32>> { xs.map(|x| if x > 0 { Some(x) } else { None }).sort() }";
    let (flags, held) = ([NONE, NONE, SOME, SOME], [0.0, 0.0, 2.0, 9.0]);
    assert_eq!(on(sorted, &[9, -1, 2, 0]), [flags, held].concat());
}

#[test]
fn folds_of_options_associate() {
    let least = "Option<i32> { xs.map(|x| if x > 0 { Some(x) } else { None }).fold(None, |a, b| match (a, b) {
        (Some(x), Some(y)) => Some(x.min(y)),
        (None, b) => b,
        (a, None) => a,
    }) }";
    assert_eq!(on(least, &[4, -1, 3]), [SOME, 3.0]);
    assert_eq!(on(least, &[-1]), [NONE, 0.0]);
    let last =
        "Option<i32> { xs.map(|x| if x > 0 { Some(x) } else { None }).fold(None, |a, b| b.or(a)) }";
    assert_eq!(on(last, &[4, 2, -1]), [SOME, 2.0]);
    let scanned = last
        .replace("Option<i32> {", "Vector<Option<i32>> {")
        .replace("fold", "scan");
    assert_eq!(on(&scanned, &[4, -1]), [NONE, SOME, SOME, 0.0, 4.0, 4.0]);
}

#[test]
fn question_marks_leave() {
    let closure = "Vector<Option<i32>> { xs.map(|x| {
        let half = if x % 2 == 0 { Some(x / 2) } else { None }?;
        let less = half.checked_sub(1).filter(|h| *h > 0)? + xs.get(half as usize)?;
        Some(less)
    }) }";
    let values = [2, 4, 7, 8];
    let of = |x: &i32| {
        let half = (x % 2 == 0).then_some(x / 2)?;
        Some(half.checked_sub(1).filter(|h| *h > 0)? + values.get(half as usize)?)
    };
    let some = values.iter().map(|x| f64::from(u8::from(of(x).is_some())));
    let held = values.iter().map(|x| f64::from(of(x).unwrap_or(0)));
    assert_eq!(on(closure, &values), some.chain(held).collect::<Vec<f64>>());
    let source = "
        fn second(xs: &Vector<f64>) -> Option<f64> { Some(xs.get(1)? * 2.0) }
        pub fn f(xs: &Vector<f64>) -> Option<f64> { let x = second(xs)?; assert!(x > 0.0, \"less\"); Some(x + 1.0) }";
    assert_eq!(run(source, &[], &[vector(&[1.0, 2.0])]), Ok(vec![1.0, 5.0]));
    assert_eq!(run(source, &[], &[vector(&[1.0])]), Ok(vec![0.0, 0.0]));
}

#[test]
fn parameters_and_fields() {
    let source = "
        enum Kind { Empty(Option<f64>), Full { x: f64, of: Option<bool> } }
        struct Held { first: Option<f64>, second: [Option<bool>; 2] }
        fn kind(h: Held) -> Kind {
            match h.second[1] { Some(_) => Kind::Full { x: 2.0, of: h.second[0] }, None => Kind::Empty(h.first) }
        }
        pub fn f(xs: &Vector<f64>, limit: Option<f64>) -> Vector<f64> {
            xs.map(|x| Held { first: limit.filter(|l| x > *l), second: [Some(x > 2.0), (x > 3.0).then(|| true)] })
                .map(|held| match kind(held) {
                    Kind::Empty(Some(limit)) => x_of(limit),
                    Kind::Empty(None) => -1.0,
                    Kind::Full { x, of } => if of.unwrap_or(false) { x } else { 0.0 },
                })
        }
        fn x_of(limit: f64) -> f64 { limit * 10.0 }";
    let arrays = [vector(&[0.5, 1.5, 3.5])];
    let some = [Scalar::bool(true), Scalar::f64(1.0)];
    assert_eq!(run(source, &some, &arrays), Ok(vec![-1.0, 10.0, 2.0]));
    let none = [Scalar::bool(false), Scalar::f64(0.0)];
    assert_eq!(run(source, &none, &arrays), Ok(vec![-1.0, -1.0, 2.0]));
    let unwrapped = "pub fn f(x: Option<i32>) -> i32 { x.unwrap() }";
    let none = [Scalar::bool(false), Scalar::number(Leaf::I32, 0)];
    assert_eq!(
        run(unwrapped, &none, &[]),
        Err("`unwrap` of `None`".to_owned())
    );
}
