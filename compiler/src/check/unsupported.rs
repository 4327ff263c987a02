//! Rust and operations of the language that are outside: what they are called and what to write instead.

use super::Checker;
use crate::syntax::span;
use crate::typed::Expr;

impl Checker<'_> {
    /// An expression of Rust's that has no meaning here.
    pub(super) fn outside_expression(&mut self, node: &syn::Expr) -> Expr {
        let (message, help) = match node {
            syn::Expr::Async(_) | syn::Expr::Await(_) => (
                "`async` is not supported in `accelerate!`",
                "calls enqueue by themselves",
            ),
            syn::Expr::Try(_) => (
                "`?` is not supported in `accelerate!`",
                "write `let Some(x) = .. else { .. }`",
            ),
            syn::Expr::TryBlock(_) => ("`try` blocks are not supported", "write `match`"),
            syn::Expr::Const(_) => ("`const` blocks are not supported", "write a `const` item"),
            syn::Expr::Yield(_) => (
                "`yield` is not supported in `accelerate!`",
                "return an array",
            ),
            syn::Expr::RawAddr(_) => (
                "raw pointers are not supported in `accelerate!`",
                "use indices",
            ),
            syn::Expr::Infer(_) => ("`_` is not a value", "write a value"),
            _ => ("this expression is not supported in `accelerate!`", ""),
        };
        self.reject(span(node), message, help)
    }
}

pub(super) fn is_heap_type(name: &str) -> bool {
    [
        "Vec", "Box", "String", "Rc", "Arc", "HashMap", "BTreeMap", "VecDeque",
    ]
    .contains(&name)
}

/// Operations of the language that are not built yet, and what to write instead.
pub(super) fn later(name: &str) -> Option<&'static str> {
    Some(match name {
        "argsort_by" => "sort the places: `(0..xs.len()).sort_by(|i, j| ..)`",
        "is_sorted_by" | "is_sorted_by_key" => "map the elements to keys: `is_sorted()` of these",
        "binary_search_by" | "binary_search_by_key" | "partition_point" => {
            "write `binary_search(x)` of an array of keys"
        }
        "foldr" | "rfold" => "write `reverse().fold(..)`",
        _ => return None,
    })
}

/// Names of other libraries for what the language has under its own.
pub(super) fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "foldl" | "reduce" => "fold1",
        "sort_unstable" => "sort",
        "sort_unstable_by" => "sort_by",
        "sort_unstable_by_key" | "sort_by_cached_key" => "sort_by_key",
        "iter" | "into_iter" | "par_iter" | "iter_mut" | "into_par_iter" => "map",
        "collect" | "to_vec" => "materialize",
        "for_each" => "map",
        "enumerate" => "map_indexed",
        "length" | "size" | "count" => "len",
        "t" => "transpose",
        "permuted_axes" => "permute_axes",
        "rev" => "reverse",
        "drop" => "skip",
        "chain" | "append" => "concat",
        "head" => "first",
        "to_shape" | "into_shape" => "reshape",
        "dim" => "shape",
        "col" => "column",
        "cols" => "columns",
        "average" => "mean",
        "prod" => "product",
        "repeat" => "replicate",
        "backpermute" => "gather",
        _ => return None,
    })
}
