//! A bug of the compiler is an error at the function that met it, and costs no other function.

use accelerate_compiler::{Observer, Options, compile_observed};

/// Panics in a stage of a function, or of the whole block.
struct Faulty(Option<&'static str>, &'static str);

impl Observer for Faulty {
    fn begin(&mut self, function: Option<&str>, stage: &'static str) {
        assert!((function, stage) != (self.0, self.1), "a stage that panics");
    }
}

const BLOCK: &str = "
    pub fn first(xs: &Vector<f32>) -> f32 { xs.sum() }
    pub fn second(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| x * x) }
";

#[test]
fn a_panic_is_an_error_at_the_name_of_the_function() {
    for stage in ["lower", "eliminate", "inline", "place", "cuda"] {
        let mut faulty = Faulty(Some("second"), stage);
        let tokens = BLOCK.parse().expect("tokens");
        let unit = compile_observed(tokens, &Options::default(), &mut faulty);
        let [error] = &unit.errors[..] else {
            panic!("{stage}: {:?}", unit.errors);
        };
        let expected = "internal error while compiling `second`: a stage that panics";
        assert_eq!(error.message, expected);
        let help = error.help.as_deref().unwrap_or_default();
        assert!(help.contains("please report it"), "{help}");
        let start = error.span.start();
        assert_eq!((start.line, start.column), (3, 11), "{stage}");
        let names: Vec<&str> = unit.functions.iter().map(|f| &*f.name).collect();
        assert_eq!(names, ["first"]);
        // The rest of the file still finds a function of that name.
        let text = unit.expand(|_| false).to_string();
        assert!(text.contains("fn second"), "{text}");
    }
}

#[test]
fn a_panic_of_the_checker_is_an_error_too() {
    let mut faulty = Faulty(None, "check");
    let tokens = BLOCK.parse().expect("tokens");
    let unit = compile_observed(tokens, &Options::default(), &mut faulty);
    let messages: Vec<&str> = unit.errors.iter().map(|error| &*error.message).collect();
    let expected = "internal error while checking this block: a stage that panics";
    assert_eq!(messages, [expected]);
    assert!(unit.functions.is_empty());
}

/// The cost of what is repeated in each of so many loops is more than a number holds.
#[test]
fn rows_may_be_nested_deeply() {
    let levels = 17;
    let head: String = (0..levels)
        .map(|k| format!("m.rows().map(|r{k}| "))
        .collect();
    let tail = ").sum()".repeat(levels);
    let block = format!(
        "pub fn deep(m: &Matrix<f32>) -> f32 {{ {head} r{}[0] {tail} }}",
        levels - 1
    );
    let unit = compile_observed(block.parse().expect("tokens"), &Options::default(), &mut ());
    let messages: Vec<&str> = unit.errors.iter().map(|error| &*error.message).collect();
    assert_eq!(messages, [""; 0]);
    assert!(unit.functions[0].plan.to_string().contains("for each"));
}

/// Passes go down an expression as deep as it is. A thread of a test has 2 MiB, that of a build script 8.
#[test]
fn an_expression_may_be_thousands_of_operations_deep() {
    let steps = "y = y * y + x; y = y.max(1.0 - y);".repeat(1000);
    let element = format!("let x = i as f32; let mut y = x; {steps} y");
    let block = format!(
        "pub fn total(n: usize) -> f32 {{ generate(n, |i| {{ {element} }}).sum() }}
         pub fn some(n: usize) -> Vector<usize> {{
             generate(n, |i| i).filter(|i| {{ let value = {{ {element} }}; value > 2.0 }})
         }}"
    );
    let unit = compile_observed(block.parse().expect("tokens"), &Options::default(), &mut ());
    let messages: Vec<&str> = unit.errors.iter().map(|error| &*error.message).collect();
    assert_eq!(messages, [""; 0]);
    assert_eq!(unit.functions.len(), 2);
}
