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

/// `Ok` and `Err` where `Some` and `None` are meant: nothing here gives a `Result`.
pub(super) const NO_RESULT: &str = "there is no `Result`: `binary_search` gives an `Option`, so write `Some(..)` and `None`; \
     where an element would stand is `xs.partition_point(|x| x < y)`";

/// Functions of Rust's and ndarray's that wrap an argument, and what to write instead.
pub(super) fn wrapper(name: &str) -> Option<&'static str> {
    Some(match name {
        "Reverse" => "write `sort_by(|a, b| b.cmp(&a))`, and `b.total_cmp(&a)` of floats",
        "Axis" => "write the number by itself: `sum_axis(0)`",
        "Ok" | "Err" => NO_RESULT,
        _ => return None,
    })
}

/// Methods of Rust's iterators and slices, of ndarray and of numpy that are written with others here.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    of_numpy(name).or_else(|| of_rust(name))
}

fn of_numpy(name: &str) -> Option<&'static str> {
    Some(match name {
        "var" | "variance" => {
            "write `let mean = xs.mean();` and `xs.map(|x| (x - mean) * (x - mean)).mean()`"
        }
        "std" | "stddev" => {
            "write `let mean = xs.mean();` and `xs.map(|x| (x - mean) * (x - mean)).mean().sqrt()`"
        }
        "norm" => "write `xs.dot(xs).sqrt()`",
        "maximum" => "write `zip_with(ys, |x, y| x.max(y))`",
        "minimum" => "write `zip_with(ys, |x, y| x.min(y))`",
        "clip" => "write `map(|x| x.clamp(low, high))`",
        "nonzero" | "flatnonzero" | "argwhere" => "write `indices_of(|x| ..)`",
        "diff" => "write `windows(2).map(|w| w[1] - w[0])`",
        "roll" | "rotate" => "write `rotate_right(n)` or `rotate_left(n)`",
        "diag" | "diagonal" => "write `generate(n, |i| m[(i, i)])`",
        "trace" => "write `generate(n, |i| m[(i, i)]).sum()`",
        "indices" => "write `iota(xs.len())`",
        "scatter_with" | "scatter_add" | "scatter_reduce" | "index_add" | "put" => {
            "write `xs.scatter(|a, b| a + b, ys, |i, _| Some(places[i]))`"
        }
        "bincount" => "write `histogram(bins)`",
        "searchsorted" | "digitize" => "write `ys.map(|y| xs.partition_point(|x| x < y))`",
        "median" => "write `xs.sort()[xs.len() / 2]`",
        "percentile" | "quantile" => "write `xs.sort()[(q * (xs.len() - 1) as f32) as usize]`",
        "tile" => "write `generate(k * xs.len(), |i| xs[i % xs.len()])`",
        "fill" => "write `map(|_| value)`, or `fill(n, value)`",
        "group_by" | "chunk_by" => {
            "sort by the key, and give `sum_segmented` or `Segmented::new` the lengths: `keys.histogram(n)`"
        }
        _ => return None,
    })
}

fn of_rust(name: &str) -> Option<&'static str> {
    Some(match name {
        "position" => "write `indices_of(|x| ..).get(0)`",
        "find" => "write `filter(|x| ..).get(0)`",
        "contains" => "write `map(|x| x == value).any()`",
        "max_by_key" => "write `xs[xs.map(|x| key).argmax()]`",
        "min_by_key" => "write `xs[xs.map(|x| key).argmin()]`",
        "max_by" | "min_by" => "write `fold1(|a, b| ..)` with a closure that gives one of them",
        "step_by" => "write `slice(s![..;2])`",
        "take_while" => {
            "write `take(n)`; `map(|x| ..).scan1(|a, b| a & b)` tells which elements stand before the first that fails"
        }
        "skip_while" => {
            "write `skip(n)`; `map(|x| ..).scan1(|a, b| a & b)` tells which elements stand before the first that fails"
        }
        "swap_axes" => "write `permute_axes((1, 0))`, or `transpose()`",
        "insert_axis" => "write `expand_axis(0)`",
        "index_axis" => "write `slice(s![i, ..])`",
        "slab" | "plane" | "layer" => "write `slice(s![i, .., ..])`",
        "outer_iter" | "axis_iter" => "write `outer()` or `axis(k)`",
        "nth" => "write `xs[i]` or `get(i)`",
        "split_at" => "write `(xs.take(n), xs.skip(n))`",
        "retain" => "write `filter(|x| ..)`",
        "nrows" => "write `shape().0`",
        "ncols" => "write `shape().1`",
        "rcumsum" => "write `rscan1(|x, acc| x + acc)`",
        "rcumprod" => "write `rscan1(|x, acc| x * acc)`",
        "rcummax" => "write `rscan1(|x, acc| x.max(acc))`",
        "rcummin" => "write `rscan1(|x, acc| x.min(acc))`",
        "cumsum_axis" | "cumprod_axis" | "cummax_axis" | "cummin_axis" | "scan_axis"
        | "scan1_axis" | "sort_axis" => {
            "it goes along the last axis: write `transpose()` before and after it"
        }
        _ => return None,
    })
}

/// Operations that take an argument elsewhere and none here: a closure, by what they make of its results, or another array.
pub(super) fn without_argument(name: &str) -> Option<&'static str> {
    Some(match name {
        "any" => "write `map(|x| ..).any()`",
        "all" => "write `map(|x| ..).all()`",
        "is_sorted" => "write `is_sorted_by_key(|x| ..)`",
        "outer" => "write `outer_product(ys)`",
        _ => return None,
    })
}

/// Types of Rust's library that own memory of their own, or share it.
pub(super) fn is_heap_type(name: &str) -> bool {
    [
        "Vec", "Box", "String", "Rc", "Arc", "HashMap", "BTreeMap", "HashSet", "BTreeSet",
        "VecDeque", "Cow", "RefCell", "Mutex",
    ]
    .contains(&name)
}

/// Operations of the language that are not built yet, and what to write instead.
pub(super) fn later(name: &str) -> Option<&'static str> {
    Some(match name {
        "argsort_by_key" => "write `map(|x| key).argsort()`",
        "binary_search_by" | "binary_search_by_key" => {
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
        "enumerate" | "indexed" | "indexed_iter" => "map_indexed",
        "length" | "size" | "count" => "len",
        "t" => "transpose",
        "permuted_axes" => "permute_axes",
        "rev" => "reverse",
        "drop" => "skip",
        "chain" | "append" => "concat",
        "head" => "first",
        "to_shape" | "into_shape" => "reshape",
        "ravel" => "flatten",
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
