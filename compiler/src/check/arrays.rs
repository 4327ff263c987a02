//! The operations on arrays: one row each. `apply_row` types a call by the form of its row.

use super::Checker;
use super::infer::{index_type, leaf};
use super::operations::Operation;
use super::operators::Class;
use crate::scalar::Leaf;
use crate::typed::{ArrayOp, Axes, Compaction, Expr, Reduction, Scan, Scatter, Sort, Type};

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
    row("is_sorted", 1, ANY, Form::Sort(Sort::IsSorted)),
    row("binary_search", 1, 1, Form::Sort(Sort::Search)),
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

impl Checker<'_> {
    pub(super) fn apply_row(&mut self, row: &Row, axes: Axes, call: Operation) -> Expr {
        let Operation { name, at, rank, .. } = call;
        let count = match row.form {
            Form::Map
            | Form::MapIndexed
            | Form::Zip
            | Form::Select
            | Form::Count(_)
            | Form::Slice
            | Form::Line(_)
            | Form::Shaped(_)
            | Form::Expand
            | Form::Joined(_)
            | Form::Pieces(_)
            | Form::Replicate
            | Form::Product(..)
            | Form::Get
            | Form::GetUnchecked
            | Form::Axis => Some(1),
            Form::Gather | Form::ConcatAxis | Form::Scan(Scan::Whole | Scan::Exclusive, _) => {
                Some(2)
            }
            Form::Scan(Scan::Inclusive, _)
            | Form::Scatter(Scatter::Histogram)
            | Form::Compact(
                Compaction::Filter
                | Compaction::FilterMap
                | Compaction::Partition
                | Compaction::Indices,
            ) => Some(1),
            Form::Scatter(Scatter::Once | Scatter::Unchecked) => Some(2),
            Form::Scatter(Scatter::Combine) => Some(3),
            Form::Scatter(Scatter::ReduceByIndex) => Some(4),
            Form::Sort(Sort::ByKey | Sort::By | Sort::Search) => Some(1),
            Form::Sort(Sort::Elements | Sort::Places | Sort::IsSorted) => Some(0),
            Form::Pad => Some(3),
            Form::Cut(_, count) => Some(count),
            Form::Stencil(arrays) => Some(2 * arrays),
            Form::Compact(Compaction::Dedup | Compaction::Unique)
            | Form::Unzip
            | Form::Halves(_)
            | Form::Pairs
            | Form::Join
            | Form::Same(_)
            | Form::End(_)
            | Form::Flatten
            | Form::Len
            | Form::IsEmpty
            | Form::Shape
            | Form::Lines(_)
            | Form::Outer
            | Form::Scan(Scan::Sum | Scan::Product | Scan::Max | Scan::Min, _)
            | Form::Value => Some(0),
            Form::ZipWith | Form::Reduce(_) | Form::Permute | Form::Stack => None,
        };
        let count = count.map(|count| count + usize::from(axes == Axes::Segments));
        if let Some(count) = count
            && call.args.len() != count
        {
            // A boundary has no type of its own.
            if !matches!(row.form, Form::Stencil(_) | Form::Pad) {
                for arg in call.args {
                    self.argument_for_errors(arg);
                }
            }
            return self.wrong_count(name, count, call.args.len(), at);
        }
        let ty = call.receiver.ty.clone();
        let array = |element: &Type, rank| Type::Array(Box::new(element.clone()), rank);
        match row.form {
            Form::Map => {
                let args = [call.element.clone()];
                self.map(
                    ArrayOp::Map,
                    vec![call.receiver],
                    &args,
                    rank,
                    call.args[0],
                    name,
                    at,
                )
            }
            Form::MapIndexed => {
                let args = [index_type(rank), call.element.clone()];
                let array = vec![call.receiver];
                self.map(
                    ArrayOp::MapIndexed,
                    array,
                    &args,
                    rank,
                    call.args[0],
                    name,
                    at,
                )
            }
            Form::Zip => {
                let other = self.infer(call.args[0]);
                self.zip(vec![call.receiver, other], at)
            }
            Form::ZipWith => self.zip_with(call.receiver, call.args, at),
            Form::Unzip => self.unzip(call),
            Form::Reduce(reduction) => self.reduce(reduction, axes, call),
            Form::Scan(scan, reversed) => self.scan(scan, reversed, axes == Axes::Segments, call),
            Form::Scatter(scatter) => self.scatter(scatter, call),
            Form::Compact(compaction) => self.compact(compaction, call),
            Form::Sort(sort) => self.sort(sort, call),
            Form::Gather => {
                let (shape, result) = self.shape_argument(call.args[0]);
                let from = index_type(rank);
                let (closure, _) =
                    self.closure_argument(call.args[1], &[index_type(result)], Some(&from), name);
                let args = vec![call.receiver, shape, closure];
                self.array(ArrayOp::Gather, args, array(&call.element, result), at)
            }
            Form::Select => self.select(call),
            Form::Count(op) => {
                let count = self.check(call.args[0], &Type::Usize);
                self.array(op, vec![call.receiver, count], ty, at)
            }
            Form::Same(op) => self.array(op, vec![call.receiver], ty, at),
            Form::End(op) => {
                let result = match rank {
                    1 => call.element,
                    rank => array(&call.element, rank - 1),
                };
                self.array(op, vec![call.receiver], result, at)
            }
            Form::Slice => self.slice(call),
            Form::Line(op) => {
                let index = self.check(call.args[0], &Type::Usize);
                let line = array(&call.element, rank - 1);
                self.array(op, vec![call.receiver, index], line, at)
            }
            Form::Shaped(op) => {
                let (shape, result) = self.shape_argument(call.args[0]);
                if op == ArrayOp::BroadcastTo && result < rank {
                    let shown = self.show(&ty);
                    return self.reject(
                        at,
                        format!("`broadcast_to` cannot take axes from {shown}"),
                        "reduce an axis, or read a `row`",
                    );
                }
                let result = array(&call.element, result);
                self.array(op, vec![call.receiver, shape], result, at)
            }
            Form::Flatten => self.array(
                ArrayOp::Flatten,
                vec![call.receiver],
                array(&call.element, 1),
                at,
            ),
            Form::Permute => self.permute(call),
            Form::Expand => {
                let Some(axis) = self.axis_argument(call.args[0], rank + 1) else {
                    return self.poison(at);
                };
                let result = array(&call.element, rank + 1);
                self.array(ArrayOp::ExpandAxis, vec![call.receiver, axis], result, at)
            }
            Form::Joined(op) => {
                let other = self.check(call.args[0], &ty);
                self.array(op, vec![call.receiver, other], ty, at)
            }
            Form::ConcatAxis
            | Form::Stack
            | Form::Halves(_)
            | Form::Pairs
            | Form::Replicate
            | Form::Cut(..)
            | Form::Join
            | Form::Pad
            | Form::Pieces(_)
            | Form::Stencil(_) => self.shape_row(row.form, call),
            Form::Product(op, other, result) => {
                let other = self.factor(&call, other);
                if self.is_poison(&other.ty) {
                    return other;
                }
                if !self.require(&call.element, Class::Number, at, &format!("`{name}`")) {
                    return self.poison(at);
                }
                self.array(
                    op,
                    vec![call.receiver, other],
                    array(&call.element, result),
                    at,
                )
            }
            Form::Len => self.array(ArrayOp::Len, vec![call.receiver], Type::Usize, at),
            Form::IsEmpty => {
                let len = self.array(ArrayOp::Len, vec![call.receiver], Type::Usize, at);
                self.equals_zero(len, at)
            }
            Form::Shape => self.array(ArrayOp::Shape, vec![call.receiver], index_type(rank), at),
            Form::Get => {
                let index = self.index_value(call.args[0], rank, &ty);
                let option = Type::Option(Box::new(call.element));
                self.array(ArrayOp::Get, vec![call.receiver, index], option, at)
            }
            Form::GetUnchecked => {
                if !self.in_unsafe {
                    self.error(
                        at,
                        "`get_unchecked` is unsafe: the index is not checked",
                        "write `xs[i]`, or `unsafe { *xs.get_unchecked(i) }`",
                    );
                }
                let index = self.index_value(call.args[0], rank, &ty);
                self.array(
                    ArrayOp::GetUnchecked,
                    vec![call.receiver, index],
                    call.element,
                    at,
                )
            }
            Form::Lines(op) => {
                let nested = nested(rank - 1, array(&call.element, 1));
                self.array(op, vec![call.receiver], nested, at)
            }
            Form::Outer => {
                let nested = nested(1, array(&call.element, rank - 1));
                self.array(ArrayOp::Outer, vec![call.receiver], nested, at)
            }
            Form::Axis => {
                let Some(axis) = self.axis_argument(call.args[0], rank) else {
                    return self.poison(at);
                };
                let nested = nested(1, array(&call.element, rank - 1));
                self.array(ArrayOp::Axis, vec![call.receiver, axis], nested, at)
            }
            Form::Value => self.array(ArrayOp::Value, vec![call.receiver], call.element, at),
        }
    }

    /// The second array of a product, of a rank.
    fn factor(&mut self, call: &Operation, rank: usize) -> Expr {
        let node = call.args[0];
        let other = self.infer(node);
        let instead = match (call.name, self.vars.shallow(&other.ty)) {
            ("matmul", Type::Array(_, 1)) => "matvec",
            ("matvec", Type::Array(_, 2)) => "matmul",
            _ => {
                let ty = Type::Array(Box::new(call.element.clone()), rank);
                return self.coerce_at(other, &ty, crate::syntax::span(node));
            }
        };
        let shown = self.show(&other.ty);
        self.reject(
            crate::syntax::span(node),
            format!("`{}` does not take {shown}", call.name),
            format!("write `{instead}(..)`"),
        )
    }

    fn unzip(&mut self, call: Operation) -> Expr {
        let element = self.vars.shallow(&call.element);
        let Type::Tuple(types) = &element else {
            let shown = self.show(&call.receiver.ty);
            return self.reject(
                call.at,
                format!("`unzip` takes an array of tuples, found {shown}"),
                match element {
                    Type::Struct(_) => "write `map(|x| x.field)` for each field",
                    _ => "write `map(|x| ..)` for each array",
                },
            );
        };
        let arrays = types
            .iter()
            .map(|ty| Type::Array(Box::new(ty.clone()), call.rank));
        let ty = Type::Tuple(arrays.collect());
        self.array(ArrayOp::Unzip, vec![call.receiver], ty, call.at)
    }

    fn select(&mut self, call: Operation) -> Expr {
        let indices = self.infer(call.args[0]);
        let indices = self.operand(indices);
        match self.vars.shallow(&indices.ty) {
            Type::Array(index, rank) => {
                let want = index_type(call.rank);
                if !self.vars.unify(&index, &want) {
                    let help = match self.vars.shallow(&index) {
                        Type::Usize => "of whole rows write `indices.map(|i| m.row(i))`",
                        _ if call.rank == 1 => "convert them: `indices.map(|i| i as usize)`",
                        _ => "an index has a `usize` for each axis",
                    };
                    let (have, want) = (self.show(&index), self.show(&want));
                    return self.reject(
                        crate::syntax::span(call.args[0]),
                        format!("`select` takes indices of type {want}, found {have}"),
                        help,
                    );
                }
                let ty = Type::Array(Box::new(call.element), rank);
                self.array(ArrayOp::Select, vec![call.receiver, indices], ty, call.at)
            }
            ty => {
                let shown = self.show(&ty);
                self.reject(
                    crate::syntax::span(call.args[0]),
                    format!("`select` takes an array of indices, found {shown}"),
                    "read one element with `xs[i]`",
                )
            }
        }
    }

    /// What a closure's results make over an outer rank; `None` after an error.
    pub(super) fn gathered(&mut self, result: &Type, outer: usize) -> Option<Type> {
        match self.vars.resolve(result) {
            Type::Array(element, inner) => Some(Type::Array(element, outer + inner)),
            Type::Tuple(types) if types.iter().any(Type::has_array) => {
                let parts: Option<Vec<Type>> =
                    types.iter().map(|ty| self.gathered(ty, outer)).collect();
                parts.map(Type::Tuple)
            }
            Type::Option(_)
            | Type::Range(_)
            | Type::Closure
            | Type::Function(..)
            | Type::Window(..)
            | Type::Segmented(_)
            | Type::Offsets(_)
            | Type::Bundle(_)
            | Type::Nested { .. } => None,
            ty => Some(Type::Array(Box::new(ty), outer)),
        }
    }

    /// Whether a value is zero.
    pub(super) fn equals_zero(&mut self, value: Expr, at: proc_macro2::Span) -> Expr {
        let zero = crate::scalar::Scalar {
            leaf: leaf(&value.ty).unwrap_or(Leaf::U64),
            bits: 0,
        };
        let ty = value.ty.clone();
        let zero = super::expr(crate::typed::ExprKind::Constant(zero), ty, at);
        let op = crate::scalar::Binary::Eq;
        let kind = crate::typed::ExprKind::Binary(op, Box::new(value), Box::new(zero));
        super::expr(kind, Type::Leaf(Leaf::Bool), at)
    }
}

pub(super) fn nested(outer: usize, inner: Type) -> Type {
    Type::Nested {
        outer,
        inner: Box::new(inner),
    }
}
