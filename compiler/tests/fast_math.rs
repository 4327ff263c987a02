//! `#[fast_math]`: what changes with it in plan and code, and by how much results may.

use accelerate_compiler::ir::eval::{Array, Output};
use accelerate_compiler::plan::interpret;
use accelerate_compiler::scalar::Scalar;
use accelerate_compiler::{Compiled, Options, compile};

fn compiled(attribute: &str, function: &str) -> Compiled {
    let tokens = format!("{attribute} {function}").parse().expect("tokens");
    let mut unit = compile(tokens, &Options::default());
    assert!(unit.errors.is_empty());
    unit.functions.remove(0)
}

fn both(function: &str) -> [Compiled; 2] {
    ["", "#[fast_math]"].map(|attribute| compiled(attribute, function))
}

/// The text of the only kernel's body.
fn elements(compiled: &Compiled) -> String {
    let text = compiled.plan.to_string();
    let element = |line: &str| line.trim().strip_prefix("result[i] = ").map(str::to_owned);
    text.lines().find_map(element).expect("a result")
}

#[test]
fn each_rule_fires_where_it_is_asked_for_and_nowhere_else() {
    for (body, exact, fast, code) in [
        (
            "xs.map(|x| x * k + 1.0)",
            "x * k + 1.0",
            "fmuladd(x, k, 1.0)",
            "fmaf(x, k, 1.0f)",
        ),
        (
            "xs.map(|x| x * k - 1.0)",
            "x * k - 1.0",
            "fmuladd(x, k, -1.0)",
            "fmaf(x, k, -1.0f)",
        ),
        (
            "xs.map(|x| x / k)",
            "x / k",
            "fast_div(x, k)",
            "fast_div(x, k)",
        ),
        (
            "xs.map(|x| x / 3.0)",
            "x / 3.0",
            "x * 0.33333334",
            "x * 0.33333334f",
        ),
        (
            "xs.map(|x| 1.0 / x.sqrt())",
            "1.0 / sqrt(x)",
            "rsqrt(x)",
            "rsqrt_f32(x)",
        ),
        (
            "xs.map(|x| k / (x * x.sqrt()))",
            "k / (sqrt(x) * x)",
            "t2 * t2 * t2 * k",
            "rsqrt_f32(x)",
        ),
        (
            "xs.map(|x| (x + 1.0) + 2.0)",
            "x + 1.0 + 2.0",
            "x + 3.0",
            "x + 3.0f",
        ),
        // A product and its sum in two maps.
        (
            "xs.map(|x| x * k).map(|y| y + k)",
            "y + k",
            "fmuladd(x, k, k)",
            "fmaf(x, k, k)",
        ),
    ] {
        let function = format!("pub fn f(xs: &Vector<f32>, k: f32) -> Vector<f32> {{ {body} }}");
        let [plain, asked] = both(&function);
        assert_eq!(elements(&plain), exact, "{body}");
        assert_eq!(elements(&asked), fast, "{body}");
        assert!(
            asked.cuda.source.contains(code),
            "{body}\n{}",
            asked.cuda.source
        );
        assert!(!plain.cuda.source.contains(code), "{body}");
    }
}

/// Doubles have no approximate division.
#[test]
fn doubles_are_divided() {
    let function = "pub fn f(xs: &Vector<f64>, k: f64) -> Vector<f64> { xs.map(|x| x / k) }";
    for compiled in both(function) {
        assert_eq!(elements(&compiled), "x / k");
    }
}

/// Each operation may be off by two units in the last place of what it gives, as the documentation says: six operations here,
/// of which none is greater than the sum of the magnitudes that it adds.
#[test]
fn results_are_within_the_bound() {
    let function = "pub fn f(xs: &Vector<f32>, k: f32) -> Vector<f32> {
        xs.map(|x| ((x * 2.5 + 1.0) * x - 3.0) / 7.0 + x / k) }";
    let [plain, asked] = both(function);
    assert_ne!(elements(&plain), elements(&asked));
    let xs: Vec<f32> = (0..1000).map(|k| (k as f32 - 500.0) * 0.0137).collect();
    let k = 1.7f32;
    let run = |compiled: &Compiled| {
        let input = Array {
            extents: vec![xs.len() as u64],
            leaves: vec![xs.iter().map(|&x| Scalar::f32(x)).collect()],
        };
        match interpret::run(&compiled.plan, &[Scalar::f32(k)], &[input]) {
            Ok(outputs) => match &outputs[..] {
                [Output::Array { leaves, .. }] => leaves[0].clone(),
                other => panic!("{other:?}"),
            },
            Err(failed) => panic!("{failed:?}"),
        }
    };
    let results = [run(&plain), run(&asked)];
    let mut differs = false;
    for (at, &x) in xs.iter().enumerate() {
        let (x, k) = (f64::from(x), f64::from(k));
        let exact = ((x * 2.5 + 1.0) * x - 3.0) / 7.0 + x / k;
        let magnitude = ((x.abs() * 2.5 + 1.0) * x.abs() + 3.0) / 7.0 + x.abs() / k;
        for result in &results {
            let error = (result[at].as_f64() - exact).abs();
            let most = 6.0 * 2.0 * f64::from(f32::EPSILON) * magnitude;
            assert!(error <= most, "{error:e} at {x}, not {most:e}");
        }
        differs |= !results[0][at].same(results[1][at]);
    }
    assert!(differs, "nothing was rounded in another way");
}
