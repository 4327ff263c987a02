//! The operations of the language: those on arrays with one row each, and the names of the others.

use crate::typed::{
    ArrayOp, Axes, Boundary, Compaction, Expr, Reduction, Scan, Scatter, Sort, Type,
};
use proc_macro2::Span;

/// The boundaries by name.
pub(super) const BOUNDARIES: &[(&str, Boundary)] = &[
    ("Clamp", Boundary::Clamp),
    ("Mirror", Boundary::Mirror),
    ("Reflect", Boundary::Reflect),
    ("Wrap", Boundary::Wrap),
    ("Constant", Boundary::Constant),
    ("Function", Boundary::Function),
];

/// Whether a boundary has this name.
pub(super) fn is_boundary(name: &str) -> bool {
    BOUNDARIES.iter().any(|(boundary, _)| *boundary == name)
}

/// A call of an operation on an array.
pub(super) struct Operation<'s> {
    pub(super) name: &'s str,
    pub(super) at: Span,
    pub(super) receiver: Expr,
    pub(super) element: Type,
    pub(super) rank: usize,
    pub(super) args: &'s [&'s syn::Expr],
}

/// An operation on an array.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The least and the greatest rank of the array.
    pub(super) ranks: (usize, usize),
    pub(super) form: Form,
}

/// The arguments after the array, and the result. T is the array's element type, r its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `|x: T| -> U`: an array of U.
    Map,
    /// `|ix, x: T| -> U`: an array of U.
    MapIndexed,
    /// Arrays of the same rank: an array of tuples.
    Zip,
    /// Arrays of the same rank and a closure of their elements.
    ZipWith,
    /// An array of tuples to a tuple of arrays.
    Unzip,
    /// A reduction of axes; see [`Reduction`].
    Reduce(Reduction),
    /// A scan of the last axis, from the right if so said; see [`Scan`].
    Scan(Scan, bool),
    /// A scatter into the array, or one by its elements as keys; see [`Scatter`].
    Scatter(Scatter),
    /// A closure of an element, or none; see [`Compaction`].
    Compact(Compaction),
    /// The order of the last axis; see [`Sort`].
    Sort(Sort),
    /// A shape and `|ix| -> index of rank r`.
    Gather,
    /// An array of indices.
    Select,
    /// A `usize`: an array of the same type.
    Count(ArrayOp),
    /// Nothing: an array of the same type.
    Same(ArrayOp),
    /// Nothing: an element, or the array without its last axis.
    End(ArrayOp),
    /// Ranges and indices.
    Slice,
    /// A `usize`: a vector.
    Line(ArrayOp),
    /// A shape: an array of its rank.
    Shaped(ArrayOp),
    /// Nothing: a vector.
    Flatten,
    /// Constants: the axes in their new order.
    Permute,
    /// A constant: one more axis.
    Expand,
    /// An array of the same type: one of that type.
    Joined(ArrayOp),
    /// See `shapes.rs`.
    ConcatAxis,
    /// Arrays of the same type: one of a rank more.
    Stack,
    /// Nothing: two arrays of the same type.
    Halves(ArrayOp),
    /// Nothing: an array of pairs.
    Pairs,
    /// A `usize`, or where new axes stand among the old ones.
    Replicate,
    /// So many `usize`: an array of a rank more.
    Cut(ArrayOp, usize),
    /// Nothing: an array of a rank less.
    Join,
    /// Two `usize` and a boundary: an array of the same type.
    Pad,
    /// A `usize`: an array of arrays over the first axis.
    Pieces(ArrayOp),
    /// A boundary, an array and its boundary for each further one, and a closure of so many windows.
    Stencil(usize),
    /// A vector of counts: an array of the same type.
    RepeatEach,
    /// An array of the second rank: an array of the third.
    Product(ArrayOp, usize, usize),
    /// `usize`.
    Len,
    /// `bool`.
    IsEmpty,
    /// An index.
    Shape,
    /// An index: an `Option` of T.
    Get,
    /// An index: T.
    GetUnchecked,
    /// An array of arrays whose inner rank is given.
    Lines(ArrayOp),
    /// An array of arrays over the first axis.
    Outer,
    /// An array of arrays over an axis, a constant.
    Axis,
    /// T.
    Value,
}

const fn row(name: &'static str, least: usize, greatest: usize, form: Form) -> Row {
    Row {
        name,
        ranks: (least, greatest),
        form,
    }
}

const ANY: usize = usize::MAX;

/// The operations on arrays.
pub(super) const OPERATIONS: &[Row] = &[
    row("map", 0, ANY, Form::Map),
    row("map_indexed", 0, ANY, Form::MapIndexed),
    row("zip", 0, ANY, Form::Zip),
    row("zip_with", 0, ANY, Form::ZipWith),
    row("unzip", 0, ANY, Form::Unzip),
    row("fold", 1, ANY, Form::Reduce(Reduction::Fold)),
    row("fold1", 1, ANY, Form::Reduce(Reduction::Fold1)),
    row("sum", 1, ANY, Form::Reduce(Reduction::Sum)),
    row("product", 1, ANY, Form::Reduce(Reduction::Product)),
    row("min", 1, ANY, Form::Reduce(Reduction::Min)),
    row("max", 1, ANY, Form::Reduce(Reduction::Max)),
    row("all", 1, ANY, Form::Reduce(Reduction::All)),
    row("any", 1, ANY, Form::Reduce(Reduction::Any)),
    row("argmin", 1, ANY, Form::Reduce(Reduction::Argmin)),
    row("argmax", 1, ANY, Form::Reduce(Reduction::Argmax)),
    row("mean", 1, ANY, Form::Reduce(Reduction::Mean)),
    row("dot", 1, ANY, Form::Reduce(Reduction::Dot)),
    row("scan", 1, ANY, Form::Scan(Scan::Whole, false)),
    row("scan1", 1, ANY, Form::Scan(Scan::Inclusive, false)),
    row("scan_exclusive", 1, ANY, Form::Scan(Scan::Exclusive, false)),
    row("rscan", 1, ANY, Form::Scan(Scan::Whole, true)),
    row("rscan1", 1, ANY, Form::Scan(Scan::Inclusive, true)),
    row("rscan_exclusive", 1, ANY, Form::Scan(Scan::Exclusive, true)),
    row("cumsum", 1, ANY, Form::Scan(Scan::Sum, false)),
    row("cumprod", 1, ANY, Form::Scan(Scan::Product, false)),
    row("cummax", 1, ANY, Form::Scan(Scan::Max, false)),
    row("cummin", 1, ANY, Form::Scan(Scan::Min, false)),
    row("scatter", 0, ANY, Form::Scatter(Scatter::Combine)),
    row("scatter_unique", 0, ANY, Form::Scatter(Scatter::Once)),
    row(
        "scatter_unique_unchecked",
        0,
        ANY,
        Form::Scatter(Scatter::Unchecked),
    ),
    row("histogram", 1, ANY, Form::Scatter(Scatter::Histogram)),
    row(
        "reduce_by_index",
        1,
        ANY,
        Form::Scatter(Scatter::ReduceByIndex),
    ),
    row("filter", 1, 1, Form::Compact(Compaction::Filter)),
    row("filter_map", 1, 1, Form::Compact(Compaction::FilterMap)),
    row("partition", 1, 1, Form::Compact(Compaction::Partition)),
    row("indices_of", 1, 1, Form::Compact(Compaction::Indices)),
    row("dedup", 1, 1, Form::Compact(Compaction::Dedup)),
    row("unique", 1, 1, Form::Compact(Compaction::Unique)),
    row("sort", 1, ANY, Form::Sort(Sort::Elements)),
    row("sort_by_key", 1, ANY, Form::Sort(Sort::ByKey)),
    row("sort_by", 1, ANY, Form::Sort(Sort::By)),
    row("argsort", 1, ANY, Form::Sort(Sort::Places)),
    row("argsort_by", 1, ANY, Form::Sort(Sort::PlacesBy)),
    row("top_k", 1, ANY, Form::Sort(Sort::Top)),
    row("argtop_k", 1, ANY, Form::Sort(Sort::TopPlaces)),
    row("is_sorted", 1, ANY, Form::Sort(Sort::IsSorted)),
    row("is_sorted_by", 1, ANY, Form::Sort(Sort::IsSortedBy)),
    row("is_sorted_by_key", 1, ANY, Form::Sort(Sort::IsSortedByKey)),
    row("binary_search", 1, 1, Form::Sort(Sort::Search)),
    row("partition_point", 1, 1, Form::Sort(Sort::PartitionPoint)),
    row("gather", 0, ANY, Form::Gather),
    row("select", 1, ANY, Form::Select),
    row("take", 1, ANY, Form::Count(ArrayOp::Take)),
    row("skip", 1, ANY, Form::Count(ArrayOp::Skip)),
    row("tail", 1, ANY, Form::Same(ArrayOp::Tail)),
    row("init", 1, ANY, Form::Same(ArrayOp::Init)),
    row("first", 1, ANY, Form::End(ArrayOp::First)),
    row("last", 1, ANY, Form::End(ArrayOp::Last)),
    row("slice", 1, ANY, Form::Slice),
    row("row", 2, ANY, Form::Line(ArrayOp::Row)),
    row("column", 2, ANY, Form::Line(ArrayOp::Column)),
    row("reshape", 0, ANY, Form::Shaped(ArrayOp::Reshape)),
    row("flatten", 0, ANY, Form::Flatten),
    row("transpose", 2, ANY, Form::Same(ArrayOp::Transpose)),
    row("permute_axes", 1, ANY, Form::Permute),
    row("reverse", 1, ANY, Form::Same(ArrayOp::Reverse)),
    row("rotate_left", 1, ANY, Form::Count(ArrayOp::RotateLeft)),
    row("rotate_right", 1, ANY, Form::Count(ArrayOp::RotateRight)),
    row("broadcast_to", 0, ANY, Form::Shaped(ArrayOp::BroadcastTo)),
    row("expand_axis", 0, ANY, Form::Expand),
    row("concat", 1, ANY, Form::Joined(ArrayOp::Concat)),
    row("concat_axis", 1, ANY, Form::ConcatAxis),
    row("stack", 0, ANY, Form::Stack),
    row("interleave", 1, ANY, Form::Joined(ArrayOp::Interleave)),
    row("deinterleave", 1, ANY, Form::Halves(ArrayOp::Deinterleave)),
    row("halve", 1, ANY, Form::Halves(ArrayOp::Halve)),
    row("pairs", 1, ANY, Form::Pairs),
    row("replicate", 0, ANY, Form::Replicate),
    row("repeat_each", 1, 1, Form::RepeatEach),
    row("split", 1, ANY, Form::Cut(ArrayOp::Split, 1)),
    row("slide", 1, ANY, Form::Cut(ArrayOp::Slide, 2)),
    row("join", 2, ANY, Form::Join),
    row("pad", 1, ANY, Form::Pad),
    row("windows", 1, ANY, Form::Pieces(ArrayOp::Windows)),
    row("chunks", 1, ANY, Form::Pieces(ArrayOp::Chunks)),
    row("chunks_exact", 1, ANY, Form::Pieces(ArrayOp::ChunksExact)),
    row("stencil", 1, ANY, Form::Stencil(1)),
    row("stencil2", 1, ANY, Form::Stencil(2)),
    row("stencil3", 1, ANY, Form::Stencil(3)),
    row("stencil4", 1, ANY, Form::Stencil(4)),
    row("stencil5", 1, ANY, Form::Stencil(5)),
    row("stencil6", 1, ANY, Form::Stencil(6)),
    row("stencil7", 1, ANY, Form::Stencil(7)),
    row("stencil8", 1, ANY, Form::Stencil(8)),
    row("stencil9", 1, ANY, Form::Stencil(9)),
    row("matmul", 2, 2, Form::Product(ArrayOp::Matmul, 2, 2)),
    row("matvec", 2, 2, Form::Product(ArrayOp::Matvec, 1, 1)),
    row(
        "outer_product",
        1,
        1,
        Form::Product(ArrayOp::OuterProduct, 1, 2),
    ),
    row("materialize", 0, ANY, Form::Same(ArrayOp::Materialize)),
    row("len", 0, ANY, Form::Len),
    row("is_empty", 0, ANY, Form::IsEmpty),
    row("shape", 0, ANY, Form::Shape),
    row("get", 1, ANY, Form::Get),
    row("get_unchecked", 1, ANY, Form::GetUnchecked),
    row("rows", 2, ANY, Form::Lines(ArrayOp::Rows)),
    row("columns", 2, ANY, Form::Lines(ArrayOp::Columns)),
    row("outer", 1, ANY, Form::Outer),
    row("axis", 1, ANY, Form::Axis),
    row("value", 0, 0, Form::Value),
];

/// Operations that make an array out of none.
pub(super) const SOURCES: &[&str] = &["generate", "fill", "iota", "linspace"];

/// The operations on `Segmented`.
pub(super) const OF_SEGMENTED: &[&str] = &[
    "map_segments",
    "flat_map",
    "values",
    "flatten",
    "offsets",
    "lengths",
    "len",
    "is_empty",
];

/// The functions of the language that Rust's numbers lack: `erf(x)` as well as `x.erf()`.
pub(super) const OF_NUMBERS: &[&str] = &["erf", "erfc", "lgamma", "tgamma", "rsqrt", "sigmoid"];

/// The row of a name; reductions have the suffixes `_all` and `_axis`, and with scans `_segmented`.
pub(super) fn find(name: &str) -> Option<(&'static Row, Axes)> {
    let exact = |name: &str| OPERATIONS.iter().find(|row| row.name == name);
    if let Some(row) = exact(name) {
        return Some((row, Axes::Last));
    }
    let suffixes = [
        ("_all", Axes::All),
        ("_axis", Axes::Axis(0)),
        ("_segmented", Axes::Segments),
    ];
    for (suffix, axes) in suffixes {
        let has = |row: &&'static Row| match row.form {
            Form::Reduce(_) => true,
            Form::Scan(..) => axes == Axes::Segments,
            _ => false,
        };
        if let Some(base) = name.strip_suffix(suffix) {
            return exact(base).filter(has).map(|row| (row, axes));
        }
    }
    None
}

/// Whether an operation has this name, on arrays or as a function.
pub(super) fn is_operation(name: &str) -> bool {
    find(name).is_some()
        || [SOURCES, OF_SEGMENTED, OF_NUMBERS]
            .iter()
            .any(|names| names.contains(&name))
}
