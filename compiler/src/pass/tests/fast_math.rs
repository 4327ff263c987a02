//! The rules of `#[fast_math]`: both sides are one real number, and differ by roundings alone.

use super::rules::{self, Bindings, Pattern, Rule};
use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};
use crate::sorted::SortedSet;

const ORDINARY: [f64; 8] = [1.0, -1.0, 2.0, 0.5, -3.25, 0.1, 100.7, 0.001];

/// Roundings on both sides together, of which `fast_div` and `rsqrt` may have two each on a device.
const ROUNDINGS: f64 = 8.0;

/// A value, and the sum of the absolute values of which it is the sum: what a rounding is relative to.
fn exact(pattern: &Pattern, values: &Bindings<Scalar>) -> (f64, f64) {
    let side = |side: &Pattern| exact(side, values);
    let times = |(a, m): (f64, f64), (b, n): (f64, f64)| (a * b, m * n);
    let plus = |(a, m): (f64, f64), (b, n): (f64, f64)| (a + b, m + n);
    let over = |(a, m): (f64, f64), (b, n): (f64, f64)| (a / b, m * n / (b * b));
    let root = |(a, m): (f64, f64)| (a.sqrt(), a.sqrt() * m / a);
    match pattern {
        Pattern::Anything(name) | Pattern::Literal(name) => {
            let value = values[*name].as_f64();
            (value, value.abs())
        }
        Pattern::Number(value) => (*value, value.abs()),
        Pattern::Unary(Unary::Neg, a) => (-side(a).0, side(a).1),
        Pattern::Unary(Unary::Abs, a) => (side(a).0.abs(), side(a).1),
        Pattern::Unary(Unary::Sqrt, a) => root(side(a)),
        Pattern::Binary(Binary::Add, a, b) => plus(side(a), side(b)),
        Pattern::Binary(Binary::Sub, a, b) => {
            let (value, magnitude) = side(b);
            plus(side(a), (-value, magnitude))
        }
        Pattern::Binary(Binary::Mul, a, b) => times(side(a), side(b)),
        Pattern::Binary(Binary::Div, a, b) => over(side(a), side(b)),
        Pattern::Math(Math::Fmuladd, list) => {
            plus(times(side(&list[0]), side(&list[1])), side(&list[2]))
        }
        Pattern::Math(Math::FastDiv, list) => over(side(&list[0]), side(&list[1])),
        Pattern::Math(Math::Rsqrt, list) => over((1.0, 1.0), root(side(&list[0]))),
        other => panic!("{other:?} is in no rule of `#[fast_math]`"),
    }
}

fn check(text: &'static str, leaf: Leaf) {
    let rule = Rule::parse(text);
    let (mut names, mut right) = (SortedSet::new(), SortedSet::new());
    rule.left.names(&mut names);
    rule.right.names(&mut right);
    assert!(right.is_subset(&names), "{text}: unbound at the right");
    let epsilon = match leaf {
        Leaf::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    };
    for k in 0..ORDINARY.len().pow(names.len() as u32) {
        let mut rest = k;
        let mut bindings = Bindings::new();
        for &name in &names {
            let value = rules::number(leaf, ORDINARY[rest % ORDINARY.len()]).expect("a float");
            bindings.insert(name, value);
            rest /= ORDINARY.len();
        }
        let [left, right] =
            [&rule.left, &rule.right].map(|side| side.eval(leaf, &bindings).as_f64());
        let [(value, m), (_, n)] = [&rule.left, &rule.right].map(|side| exact(side, &bindings));
        // No real number.
        if value.is_nan() {
            continue;
        }
        let most = ROUNDINGS * epsilon * m.max(n);
        assert!(
            (left - right).abs() <= most,
            "{text}: {left} and {right} at {bindings:?}"
        );
    }
}

#[test]
fn every_rule_is_true_of_real_numbers() {
    for text in rules::FAST.iter().chain(rules::CONTRACT) {
        check(text, Leaf::F32);
        check(text, Leaf::F64);
    }
    rules::CONTRACT_SINGLE
        .iter()
        .for_each(|text| check(text, Leaf::F32));
}

#[test]
fn what_is_false_is_found() {
    let refuted = [
        "x - (y - z) = x - y - z",
        "x / sqrt(y) = rsqrt(x * y)",
        "x * y + z = fmuladd(x, z, y)",
    ];
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let results = refuted.map(|text| std::panic::catch_unwind(|| check(text, Leaf::F64)).is_err());
    std::panic::set_hook(hook);
    assert_eq!(results, [true; 3]);
}
