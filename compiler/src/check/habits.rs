//! What a Rust programmer writes first: iterators over arrays, constructors of the host's. Each error says what to write here.

use super::Checker;
use super::spacing::tidy;
use crate::typed::Expr;
use quote::ToTokens;

/// Methods between an array and its operations in Rust, which arrays have themselves here.
const AROUND: &[&str] = &[
    "iter",
    "into_iter",
    "par_iter",
    "into_par_iter",
    "collect",
    "to_vec",
    "into_vec",
];

/// The longest text that a help line repeats.
const LONGEST: usize = 90;

impl Checker<'_> {
    /// `xs.iter().map(..).collect()`: reported once for the whole chain, which is then checked without what is too much.
    pub(super) fn iterator_habit(&mut self, node: &syn::ExprMethodCall) -> Option<Expr> {
        let mut found = Vec::new();
        let whole = syn::Expr::MethodCall(node.clone());
        let bare = self.without(&whole, &mut found);
        let first = found.pop()?;
        let name = first.to_string();
        let text = written(&bare);
        let help = match text.len() > LONGEST || text.contains('{') {
            true => format!("leave out `{name}()`: operations are methods of the array"),
            false => format!("write `{text}`"),
        };
        self.error(
            first.span(),
            format!("arrays have no `{name}`: they are no iterators"),
            help,
        );
        Some(self.infer(&bare))
    }

    /// A chain of calls without those; the first of them last.
    pub(super) fn without(&self, node: &syn::Expr, found: &mut Vec<syn::Ident>) -> syn::Expr {
        let syn::Expr::MethodCall(call) = node else {
            return node.clone();
        };
        let name = call.method.to_string();
        let suffix = format!("::{name}");
        let own = || self.cx.functions.keys().any(|key| key.ends_with(&suffix));
        if call.args.is_empty() && AROUND.contains(&&*name) && !own() {
            found.push(call.method.clone());
            return self.without(&call.receiver, found);
        }
        let receiver = self.without(&call.receiver, found);
        if found.is_empty() {
            return node.clone();
        }
        if call.args.is_empty() && matches!(&*name, "copied" | "cloned") {
            return receiver;
        }
        let mut call = syn::ExprMethodCall {
            receiver: Box::new(receiver),
            ..call.clone()
        };
        for arg in &mut call.args {
            *arg = self.without(arg, &mut Vec::new());
        }
        syn::Expr::MethodCall(indexed(&call).unwrap_or(call))
    }
}

/// `xs.enumerate().map(|(i, x)| ..)` as `xs.map_indexed(|i, x| ..)`.
fn indexed(call: &syn::ExprMethodCall) -> Option<syn::ExprMethodCall> {
    let syn::Expr::MethodCall(enumerated) = &*call.receiver else {
        return None;
    };
    if call.method != "map" || enumerated.method != "enumerate" || call.args.len() != 1 {
        return None;
    }
    let syn::Expr::Closure(closure) = call.args.first()? else {
        return None;
    };
    let syn::Pat::Tuple(pair) = closure.inputs.first()? else {
        return None;
    };
    let closure = syn::ExprClosure {
        inputs: pair.elems.clone(),
        ..closure.clone()
    };
    Some(syn::ExprMethodCall {
        receiver: enumerated.receiver.clone(),
        method: syn::Ident::new("map_indexed", call.method.span()),
        args: [syn::Expr::Closure(closure)].into_iter().collect(),
        ..call.clone()
    })
}

/// The text of an expression as a person would write it.
pub(super) fn written(node: &syn::Expr) -> String {
    let mut text = tidy(&node.to_token_stream().to_string());
    for (from, to) in [
        (" .. ", ".."),
        ("(| ", "(|"),
        (", | ", ", |"),
        ("& ", "&"),
        (" ::< ", "::<"),
        ("::< ", "::<"),
        (" > (", ">("),
        (" >(", ">("),
        ("| * ", "| *"),
    ] {
        text = text.replace(from, to);
    }
    // The bar after a closure's parameters.
    let mut out = String::new();
    let mut rest = &*text;
    if let Some(closure) = rest.strip_prefix("| ")
        && let Some((parameters, body)) = closure.split_once(" | ")
    {
        out = format!("|{parameters}| ");
        rest = body;
    }
    while let Some(begin) = rest.find("(|").or_else(|| rest.find(", |")) {
        let begin = begin + rest[begin..].find('|').unwrap_or(0) + 1;
        let end = rest[begin..].find(" | ").map_or(begin, |end| begin + end);
        out += &rest[..end];
        rest = match end == begin {
            true => &rest[begin..],
            false => &rest[end + 1..],
        };
    }
    out + rest
}

/// What makes an array in ndarray, in Rust, or on the host, and what makes it here; `owner` is the type that it is called of.
pub(super) fn constructor(owner: Option<&str>, name: &str, args: &[&syn::Expr]) -> Option<String> {
    const ARRAYS: [&str; 8] = [
        "Array", "Array1", "Array2", "Array3", "Vector", "Matrix", "Cube", "Scalar",
    ];
    if owner.is_some_and(|owner| !ARRAYS.contains(&owner)) {
        return None;
    }
    let text = |at: usize, otherwise: &str| match args.get(at) {
        Some(arg) => written(arg),
        None => otherwise.to_string(),
    };
    let shape = text(0, "n");
    Some(match (name, owner) {
        ("zeros" | "default", _) => format!("write `fill({shape}, 0.0)`"),
        ("ones", _) => format!("write `fill({shape}, 1.0)`"),
        ("from_elem" | "full" | "repeat", _) => {
            format!("write `fill({shape}, {})`", text(1, "value"))
        }
        ("eye" | "identity", _) => {
            format!(
                "write `generate(({shape}, {shape}), |(i, j)| if i == j {{ 1.0 }} else {{ 0.0 }})`"
            )
        }
        ("from_fn" | "from_shape_fn", Some(_)) => {
            format!("write `generate({shape}, {})`", text(1, "|ix| .."))
        }
        ("concatenate" | "vstack" | "hstack", None) => {
            let (a, b) = match args {
                [a, b] => (written(a), written(b)),
                _ => ("a".to_string(), "b".to_string()),
            };
            match name {
                "concatenate" => format!("write `{a}.concat({b})`"),
                "vstack" => format!("write `{a}.concat_axis(0, {b})`"),
                _ => format!("write `{a}.concat_axis(1, {b})`"),
            }
        }
        ("range" | "arange", _) => match args {
            [_] => format!("write `iota({shape})`"),
            _ => format!("write `({shape}..{})` as a vector", text(1, "n")),
        },
        ("linspace", Some(_)) => {
            let [a, b, n] = [text(0, "a"), text(1, "b"), text(2, "n")];
            format!("write `linspace({a}, {b}, {n})`")
        }
        ("new" | "with_capacity", Some(_)) => {
            "arrays come from operations: `generate(n, |i| ..)`, `fill(n, 0.0)`, `xs.map(..)`"
                .into()
        }
        ("from" | "from_vec" | "from_slice" | "from_shape_vec", Some(_)) => {
            "make it on the host, and take it as a parameter".into()
        }
        _ => return None,
    })
}

/// `m.sum(0)`, `m.sum(axis = 0)` and `xs.max(ys)`, as other libraries have them.
pub(super) fn reduction(name: &str, argument: &syn::Expr) -> Option<String> {
    let axis = match argument {
        syn::Expr::Assign(assign) if written(&assign.left) == "axis" => &assign.right,
        other => other,
    };
    match (axis, name) {
        (syn::Expr::Lit(axis), _) if !name.ends_with("_all") => Some(format!(
            "write `{name}_axis({})`",
            written(&syn::Expr::Lit(axis.clone()))
        )),
        (other @ (syn::Expr::Path(_) | syn::Expr::Reference(_)), "max" | "min") => {
            let other = written(other);
            Some(format!("write `zip_with({other}, |x, y| x.{name}(y))`"))
        }
        _ => None,
    }
}

/// `m + v`: which operand is repeated, written out.
pub(super) fn broadcast(symbol: &str, left: (&str, usize), right: (&str, usize)) -> String {
    const BLANK: &str = "(..)";
    let ((mut a, p), (mut b, q)) = (left, right);
    if a == BLANK || b == BLANK {
        (a, b) = if p > q { ("m", "v") } else { ("v", "m") };
    }
    match p > q {
        true => format!("write `{a} {symbol} {b}.broadcast_to({a}.shape())`"),
        false => format!("write `{a}.broadcast_to({b}.shape()) {symbol} {b}`"),
    }
}
