//! Helpers that take functions, against what their callers would have written out.

use super::{listing, program, run, vector};
use accelerate_compiler::pass;
use accelerate_compiler::scalar::Scalar;
use std::fs;
use std::path::Path;

const HELPERS: &str = "fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 { f(f(x)) }
    fn both<F, G>(f: F, g: G, x: f64) -> f64 where F: Fn(f64) -> f64, G: Fn(f64) -> f64 { g(f(x)) }
    fn two<T: Number>(f: impl Fn(&Vector<T>) -> Vector<T>, xs: &Vector<T>) -> Vector<T> { let (a, b) = xs.halve(); f(a).concat(f(b)) }
    fn mapped<A: Element, B: Element, const N: usize>(xs: &Array<A, N>, f: impl Fn(A) -> B) -> Array<B, N> { xs.map(f) }
    fn half(x: f64) -> f64 { x / 2.0 }";

#[test]
fn functions_are_called_where_they_are_passed() {
    let xs = [1.0, 4.0, 9.0];
    let cases: [(&str, &[f64]); 8] = [
        ("xs.map(|x| twice(half, x))", &[0.25, 1.0, 2.25]),
        ("xs.map(|x| twice(f64::sqrt, x * x))", &[1.0, 2.0, 3.0]),
        ("xs.map(|x| both(half, |y| y + k, x))", &[3.5, 5.0, 7.5]),
        // The inner closure reads variables of the outer one and of the caller, whatever the helpers call theirs.
        (
            "xs.map(|x| twice(|f| twice(|x| x + f, x) + k, k))",
            &[24.0, 33.0, 48.0],
        ),
        (
            "let f = |x: f64| x * k; let g = f; xs.map(|x| both(f, g, x))",
            &[9.0, 36.0, 81.0],
        ),
        ("two(|half| half.reverse(), xs)", &[1.0, 9.0, 4.0]),
        (
            "two(|a| two(|b| b.map(|x| x + a.sum()), a), xs)",
            &[2.0, 17.0, 22.0],
        ),
        (
            "mapped(mapped(xs, |x| x as usize), |i| xs[i % 3])",
            &[4.0, 4.0, 1.0],
        ),
    ];
    for (expr, expected) in cases {
        let source =
            format!("{HELPERS} pub fn f(xs: &Vector<f64>, k: f64) -> Vector<f64> {{ {expr} }}");
        let found = run(&source, &[Scalar::f64(3.0)], &[vector(&xs)]);
        assert_eq!(found, Ok(expected.to_vec()), "{expr}");
    }
}

#[test]
fn a_function_returns_from_itself_only() {
    let source = "fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 { let y = f(x); if y > 10.0 { return 10.0; } y + 1.0 }
        pub fn f(xs: &Vector<f64>) -> Vector<f64> { xs.map(|x| apply(|y| { if y < 0.0 { return -1.0; } y * y }, x)) }";
    assert_eq!(
        run(source, &[], &[vector(&[-2.0, 2.0, 5.0])]),
        Ok(vec![0.0, 5.0, 10.0])
    );
}

#[test]
fn a_network_of_combinators_is_the_one_written_out() {
    assert_eq!(nameless("network_combinators"), nameless("network_tsort"));
}

/// The text of a program of the corpus after the passes, without names.
fn nameless(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let text = fs::read_to_string(&listing::programs(&folder)[name]).expect("a program");
    let (_, block) = text.split_once("accelerate! {").expect("a block");
    let block = block.trim_end().trim_end_matches('}');
    let mut program = pass::run(program(block), &pass::Options::default());
    program.name = String::new();
    program.forget_names();
    program.to_string()
}

#[test]
fn instances_of_types() {
    // The first public function is the instance of `f64`.
    let source = "#[instances(f64, f32)] pub fn norm<T: Float>(xs: &Vector<T>) -> T {
            let one: T = T::MAX_EXP as T - T::MAX_EXP as T + 1.0;
            xs.map(|x| x * x * one).sum().sqrt()
        }
        #[instances(u32)] pub fn twice<T: Integer>(x: T) -> T { x + x }
        pub fn all(xs: &Vector<f64>) -> f64 { norm_f64(xs) + norm(xs) + twice_u32(1) as f64 }";
    assert_eq!(run(source, &[], &[vector(&[3.0, 4.0])]), Ok(vec![5.0]));
}
