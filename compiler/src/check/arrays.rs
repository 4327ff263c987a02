//! Calls of operations on arrays: `apply_row` types one by the form of its row.

use super::Checker;
use super::infer::{index_type, leaf};
use super::operations_table::{Form, Operation, Row};
use super::operators::Class;
use crate::scalar::Leaf;
use crate::typed::{ArrayOp, Axes, Compaction, Expr, Scan, Scatter, Sort, Type};

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
            | Form::RepeatEach
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
            Form::Sort(
                Sort::ByKey
                | Sort::By
                | Sort::PlacesBy
                | Sort::IsSortedBy
                | Sort::IsSortedByKey
                | Sort::Top
                | Sort::TopPlaces
                | Sort::Search
                | Sort::PartitionPoint,
            ) => Some(1),
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
            Form::RepeatEach => self.repeat_each(call),
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
            Type::Range(_)
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
