//! What a Rust programmer writes first: iterators over arrays, constructors of the host's. Each error says what to write here.

use super::Checker;
use super::blocks::tidy;
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
        let text = tidy(&bare.to_token_stream().to_string());
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
        let receiver = Box::new(self.without(&call.receiver, found));
        syn::Expr::MethodCall(syn::ExprMethodCall {
            receiver,
            ..call.clone()
        })
    }
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
        Some(arg) => tidy(&arg.to_token_stream().to_string()),
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
