//! The user's errors: each case of `tests/errors` rendered as rustc would, beside it as a snapshot; no error in the
//! corpus; no panic on programs whose tokens have been mutilated.

#[path = "../../tests/listing.rs"]
mod listing;

use accelerate_compiler::diag::{Diagnostic, Errors};
use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::{Options, Sources, check, compile, syntax};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// The diagnostics of a source that holds one `accelerate!`, as text.
fn check(source: &str) -> String {
    match diagnose(source) {
        Ok(list) if list.is_empty() => "no errors\n".to_string(),
        Ok(list) => list.iter().map(|d| render(source, d)).collect(),
        Err(error) => format!("not Rust: {error}\n"),
    }
}

fn diagnose(source: &str) -> Result<Vec<Diagnostic>, String> {
    let tokens: TokenStream = source.parse().map_err(|e| format!("{e}"))?;
    let block = find(tokens).ok_or("no `accelerate!` in it")?;
    let options = options(&block);
    Ok(compile(block, &options).errors)
}

/// With what the block needs of the package of most of the corpus.
fn options(block: &TokenStream) -> Options {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/lane");
    let root = Crate::Root(package.join("src/lib.rs"));
    Options {
        sources: Sources::read(block, &Package::new(package).reader(root)),
        ..Options::default()
    }
}

/// The tokens of the first `accelerate!`, wherever it stands.
fn find(tokens: TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, token) in tokens.iter().enumerate() {
        match (token, tokens.get(position + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Group(group))) if name == "accelerate" => {
                return Some(group.stream());
            }
            (TokenTree::Group(group), _) => {
                if let Some(found) = find(group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

fn render(source: &str, diagnostic: &Diagnostic) -> String {
    let (start, end) = (diagnostic.span.start(), diagnostic.span.end());
    let line = source.lines().nth(start.line.max(1) - 1).unwrap_or("");
    let width = if end.line == start.line {
        end.column.saturating_sub(start.column).max(1)
    } else {
        line.chars().count().saturating_sub(start.column).max(1)
    };
    let kind = if diagnostic.warning {
        "warning"
    } else {
        "error"
    };
    let mut text = format!("{kind}: {}\n", diagnostic.message);
    text += &format!(" --> {}:{}\n", start.line, start.column + 1);
    text += &format!("  | {line}\n");
    text += &format!("  | {}{}\n", " ".repeat(start.column), "^".repeat(width));
    if let Some(help) = &diagnostic.help {
        text += &format!("  = help: {help}\n");
    }
    text
}

/// The `.rs` files of a folder of the workspace and of those in it, by name.
fn files(folder: &str) -> impl Iterator<Item = PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    listing::programs(&root.join(folder)).into_values()
}

#[test]
fn what_stands_beside_errors_is_rust() {
    for file in files("tests/errors") {
        let source = fs::read_to_string(&file).expect("a readable file");
        let Some(block) = source.parse().ok().and_then(find) else {
            continue;
        };
        let expansion = compile(block, &Options::default()).expand(|_| false);
        let text = expansion.to_string();
        let parses = syn::parse2::<syn::File>(expansion.clone()).is_ok()
            || syn::parse2::<syn::Expr>(expansion).is_ok();
        assert!(parses, "{}: {text}", file.display());
    }
}

#[test]
fn errors_read_as_they_should() {
    for file in files("tests/errors") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let source = fs::read_to_string(&file).expect("a readable file");
        insta::with_settings!({
            description => source.clone(),
            omit_expression => true,
            prepend_module_to_snapshot => false,
        }, {
            insta::assert_snapshot!(name.to_string(), check(&source));
        });
    }
}

#[test]
fn the_corpus_has_no_errors() {
    for file in files("tests/programs") {
        let source = fs::read_to_string(&file).expect("a readable file");
        if find(source.parse().expect("tokens")).is_some() {
            assert_eq!(check(&source), "no errors\n", "{}", file.display());
        }
    }
}

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Tokens with some of them dropped, doubled, exchanged or replaced.
fn mutilated(tokens: TokenStream, random: &mut Random) -> TokenStream {
    let mut list: Vec<TokenTree> = tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let delimiter = match random.below(60) {
                    0 => Delimiter::Brace,
                    1 => Delimiter::Bracket,
                    2 => Delimiter::Parenthesis,
                    _ => group.delimiter(),
                };
                let mut new = Group::new(delimiter, mutilated(group.stream(), random));
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            token => token,
        })
        .collect();
    if !list.is_empty() && random.below(6) == 0 {
        let (a, b) = (random.below(list.len()), random.below(list.len()));
        match random.below(4) {
            0 => {
                list.remove(a);
            }
            1 => list.swap(a, b),
            2 => list[a] = list[b].clone(),
            _ => list.insert(b, list[a].clone()),
        }
    }
    list.into_iter().collect()
}

#[test]
fn mutilated_programs_cause_no_panic() {
    let mut random = Random(7);
    for file in files("tests/programs").chain(files("tests/errors")) {
        let source = fs::read_to_string(&file).expect("a readable file");
        let tokens: TokenStream = source.parse().expect("tokens");
        let Some(tokens) = find(tokens) else {
            continue;
        };
        for _ in 0..20 {
            let tokens = mutilated(tokens.clone(), &mut random);
            let mut errors = Errors::default();
            let block = syntax::parse(tokens, &syntax::Modules::new(), &mut errors);
            check::check(&block, &mut errors);
        }
    }
}

/// Corners of the language, each of which must be accepted.
const ACCEPTED: &[&str] = &[
    // Closures bound by `let`: typed by their first use, also through operators.
    "pub fn f(xs: &Vector<f32>) -> Vector<f32> { let half = |x| x * 0.5; let g = half; xs.map(half).map(g) }",
    "pub fn f(xs: &Vector<f32>) -> f32 { xs.fold(0.0, f32::max) + xs.map(f32::sqrt).sum() }",
    // Literals take their type from a later use.
    "pub fn f(n: usize) -> Vector<u8> { let mut a = 1; for _ in 0..n { a += 2; } let b: u8 = a; fill(n, b) }",
    "pub fn f(xs: &Vector<i8>) -> Vector<i8> { xs.map(|x| if x == -128 { i8::MIN } else { -x }) }",
    // Control with values.
    "pub fn f(n: u32) -> u32 { let mut i = 0; loop { if i * i >= n { break i; } i += 1; } }",
    "pub fn f(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| { if x < 0.0 { return 0.0; } x.sqrt() }) }",
    "pub fn f(xs: &Vector<f32>) -> f32 { let Some(x) = xs.get(2) else { return 0.0 }; x }",
    "pub fn f(xs: &Vector<f32>) -> f32 { if let Some(x) = xs.get(2) && x > 1.0 { x } else { 0.0 } }",
    "pub fn f(n: u32) -> u32 { let (mut a, mut b) = (0, 1); for _ in 0..n { (a, b) = (b, a + b); } a }",
    "pub fn f(n: u32) -> u32 { let x; if n > 3 { x = 1; } else { x = 2; } x }",
    "pub fn f(n: u32) -> u32 { let mut s = 0; 'a: for i in (0..n).rev().step_by(2) { for j in 0..=i { if j > 3 { continue 'a; } s += j; } } s }",
    // Patterns.
    "pub fn f(n: i64) -> i32 { match n { i64::MIN..0 => -1, 0 => 0, x @ 1..=9 if x % 2 == 0 => 2, 1.. => 1 } }",
    "pub fn f(a: u8, n: u8) -> u8 { g((a, a.checked_add(n))) } fn g(p: (u8, Option<u8>)) -> u8 { match p { (a, Some(b)) | (b, Some(a)) if a > b => a - b, (_, None) | (_, Some(_)) => 0 } }",
    "const LOW: i32 = -3; pub fn f(n: i32) -> bool { matches(n) } fn matches(n: i32) -> bool { match n { LOW..=3 => true, _ => false } }",
    "struct P { x: f32, q: Q } struct Q(f32, u8); fn g(p: P) -> f32 { let P { x, q: Q(y, _) } = p; x + y } \
     pub fn f(xs: &Vector<P>) -> Vector<P> { xs.map(|p| { let mut p = P { x: g(p), ..p }; p.q.0 += 1.0; p }) }",
    // What is bound in a round is moved once in it.
    "fn total(xs: Vector<f32>) -> f32 { xs.sum() } \
     pub fn f(xs: &Vector<f32>) -> f32 { let mut s = 0.0; for _ in 0..3 { let ys = xs.map(|x| x + s); s += total(ys); } s }",
    // Bundles.
    "struct Unit; struct P(Vector<f32>, Unit); type Q = P; struct R { q: Q, n: usize } \
     impl R { const N: usize = 3; fn new(xs: &Vector<f32>) -> Self { Self { q: P(xs.clone(), Unit), n: R::N } } fn total(self) -> f32 { self.q.0.sum() } } \
     pub fn f(xs: &Vector<f32>) -> f32 { let mut r = R::new(xs); r.q.0 = xs + 1.0; let R { q: P(ys, _), n } = r; R { n, ..r }.total() + ys.sum() }",
    // Generic helpers.
    "fn dot<T: Number, const N: usize>(a: &Array<T, N>, b: &Array<T, N>) -> T where T: Copy { a.zip(b).map(|(x, y)| x * y).sum_all() } \
     pub fn f(a: &Matrix<f32>, b: &Cube<u8>) -> (f32, u8) { (dot(a, a), dot(b, b)) }",
    // Arrays.
    "pub fn f(m: &Matrix<f32>) -> Vector<f32> { m.slice(s![1..-1;2, 0]) + m.slice(s![..;-2, -1]) }",
    "pub fn f(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> { a.rows().map(|r| b.columns().map(|c| r.zip(c).map(|(x, y)| x * y).sum())) }",
    "pub fn f(m: &Matrix<f32>) -> (Vector<f32>, Matrix<f32>) { m.rows().zip(0..m.shape().0).map(|(r, i)| (r[i], r.map(|x| x - r.sum()))) }",
    "pub fn f(xs: &Vector<f32>) -> Vector<f32> { (0..xs.len()).map(|i| xs[i] * 2.0) }",
    "pub fn f(xs: Vector<f32>, n: usize) -> Vector<f32> { let mut y = xs; while y.max() > 1.0 { y = y * 0.5; } if n > 2 { y } else { y.map(|x| -x) } }",
    "pub fn f(s: &Scalar<f32>, xs: &Vector<f32>) -> Scalar<f32> { s * xs.sum() + s.value() }",
    "pub fn f(s: &Segmented<f32>) -> Vector<f32> { map_segments(s, |x| sum(x)) + lengths(s).map(|n| n as f32) }",
    "pub fn f(s: &Segmented<f32>) -> (Vector<f32>, Vector<usize>, usize, bool) { (values(s), offsets(s), len(s), is_empty(s)) }",
    "pub fn f(m: &Matrix<f32>) -> Vector<f32> { map(rows(m), |row| sum(row)) }",
    "pub fn f(c: &Cube<f32>, i: usize) -> (Matrix<f32>, Matrix<f32>) { (c.row(i), column(c, i)) }",
    "pub fn f(s: &Scalar<f32>) -> Scalar<f32> { s.map(|x| x + 1.0).map_indexed(|_, x| x.sqrt()).materialize() }",
    "pub fn f(s: &Scalar<f32>, t: &Scalar<f32>) -> f32 { s.zip(t).map(|(x, y)| x * y).value() + s.zip_with(t, |x, y| x - y) }",
    "pub fn f(s: &Scalar<(f32, u8)>) -> (Scalar<f32>, Scalar<u8>, usize, bool) { let (x, n) = s.unzip(); (x, n, s.len(), s.is_empty()) }",
    "pub fn f(s: &Scalar<f32>) -> (Vector<f32>, Vector<f32>, Matrix<f32>) { (s.replicate(1) + s.reshape(1), s.expand_axis(0) + s.flatten(), s.broadcast_to((2, 3))) }",
    "pub fn f(s: &Scalar<f32>, t: &Scalar<f32>) -> Vector<f32> { stack((s, t)) + s.gather(2, |_| ()) + s.sqrt() }",
    // Comparisons of what has fields, in order as Rust's tuples are.
    "pub fn f(a: &Vector<(u8, f32)>, b: &Vector<(u8, f32)>) -> (Vector<bool>, Vector<bool>, Vector<bool>) { (a == b, a != (1, 2.0), a <= b) }",
    "pub fn f(a: &Vector<(u8, f32)>) -> Vector<bool> { a.map(|p| p < (1, 2.0) || (3, 4.0) >= p) }",
    "struct P { x: f32, q: [u8; 2] } enum E { A, B(f32) } \
     pub fn f(p: &Matrix<P>, e: &Vector<E>) -> (Matrix<bool>, Vector<bool>) { (p == p, e != e) }",
    "pub fn f(a: &Vector<[i32; 3]>, b: &Vector<[i32; 3]>) -> Vector<bool> { a > b }",
    // Operators by their paths.
    "struct P { x: f32 } impl Mul for P { type Output = P; fn mul(self, o: P) -> P { P { x: self.x * o.x } } } \
     impl Mul<f32> for P { type Output = P; fn mul(self, o: f32) -> P { P { x: self.x * o } } } \
     pub fn f(p: &Vector<P>) -> P { p.fold(P { x: 1.0 }, P::mul) } \
     pub fn g(p: &Vector<P>) -> P { p.fold1(Mul::mul) } \
     pub fn h(x: &Vector<f32>) -> f32 { x.fold(0.0, Add::add) }",
    "type Field = Matrix<f64>; pub fn f(m: &Field) -> Field { m.map_indexed(|(i, j), x| x + (i * j) as f64) }",
    "pub fn f(xs: &Vector<(f32, u8)>) -> Vector<bool> { xs.map(|a| a == (1.0, 2) || a.1 != 3) }",
    "pub fn f(xs: &Vector<f32>) -> f32 { unsafe { *xs.get_unchecked(0) } }",
    "pub fn f(x: u32) -> (u32, bool) { let (y, o) = x.overflowing_add(1); let c = y.checked_mul(2); (c.unwrap_or(0), o) }",
];

#[test]
fn corners_are_accepted() {
    let mut wrong = String::new();
    for program in ACCEPTED {
        let source = format!("accelerate! {{ {program} }}");
        let text = check(&source);
        if text != "no errors\n" {
            wrong += &format!("{program}\n{text}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What is written out beside errors goes by the leaves of types, which not all that is written as a field has.
#[test]
fn fields_that_are_no_elements() {
    for field in [
        "Vector",
        "Vector<f32>",
        "(u8, Matrix<i32>)",
        "Option<Vector<u8>>",
        "!",
    ] {
        for item in [
            "struct Of { a: u8, b: # }",
            "enum Of { A, B(#), C { c: # } }",
        ] {
            let text = format!(
                "{} pub fn f(of: Of) -> Of {{ of }}",
                item.replace('#', field)
            );
            let unit = compile(text.parse().expect("tokens"), &Options::default());
            // A struct of arrays is a bundle.
            let bundle = item.starts_with("struct")
                && field.ends_with([')', '>'])
                && !field.starts_with("Option");
            assert_eq!(unit.errors.is_empty(), bundle, "{text}");
            let expansion = unit.expand(|_| false);
            syn::parse2::<syn::File>(expansion).expect("items");
        }
    }
}
