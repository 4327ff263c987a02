//! Array operations: every one becomes `Generate`, `Reduce` and `Index` nodes.
//!
//! `tabulate` is the heart: it makes an array (or a tuple of arrays, or an array with more axes) of whatever a
//! function gives for fresh index variables. Views read in bounds by construction once their shape check holds.
//! `runtime/src/operations.md` lists every operation: rank, axis, result, empty, NaN, out of range.

mod compactions;
mod comparisons;
mod elementwise;
mod flat;
mod greatest;
mod indexing;
mod joins;
mod nested;
mod offsets;
mod ordered;
mod pieces;
mod products;
mod reductions;
mod scans;
mod scatters;
mod segmented;
mod segments;
mod sorts;
mod sources;
mod stencils;
mod views;

pub(super) use offsets::Hull;
pub(super) use segments::{Around, Segments};

use super::guards::Effect;
use super::value::{Array, Nested, Value};
use super::{Lower, Lowered};
use crate::diag::Diagnostic;
use crate::ir::{Id, Node, Type, Var};
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// A row of the table in `check/operations_table.rs`.
    pub(super) fn array_operation(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        expr: &'a Expr,
    ) -> Lowered<Value<'a>> {
        let span = expr.span;
        match op {
            ArrayOp::Generate
            | ArrayOp::Fill
            | ArrayOp::Iota
            | ArrayOp::RangeVector
            | ArrayOp::Linspace => self.source(op, arguments, span),
            ArrayOp::Map
            | ArrayOp::MapIndexed
            | ArrayOp::Zip
            | ArrayOp::ZipWith
            | ArrayOp::Unzip => self.elements(op, arguments, span),
            ArrayOp::Reduce(reduction, axes) => self.reduction(reduction, axes, arguments, expr),
            ArrayOp::Scan {
                scan,
                reversed,
                segmented,
            } => self.scan(scan, reversed, segmented, arguments, span),
            ArrayOp::Offsets => self.expr(&arguments[0]),
            ArrayOp::Segmented | ArrayOp::MapSegments | ArrayOp::Lengths => {
                self.segmented(op, arguments, span)
            }
            ArrayOp::RepeatEach => self.repeat_each(arguments, span),
            ArrayOp::Scatter(scatter) => self.scatter(scatter, arguments, span),
            ArrayOp::Compact(compaction) => self.compact(compaction, arguments, span),
            ArrayOp::Sort(sort) => self.sort(sort, arguments, span),
            ArrayOp::Gather
            | ArrayOp::Select
            | ArrayOp::First
            | ArrayOp::Last
            | ArrayOp::Len
            | ArrayOp::Shape
            | ArrayOp::Get
            | ArrayOp::GetUnchecked
            | ArrayOp::Value => self.indexing(op, arguments, span),
            ArrayOp::Rows | ArrayOp::Columns | ArrayOp::Outer | ArrayOp::Axis => {
                self.nested(op, arguments, &expr.ty)
            }
            ArrayOp::Concat
            | ArrayOp::ConcatAxis
            | ArrayOp::Stack
            | ArrayOp::Interleave
            | ArrayOp::Deinterleave
            | ArrayOp::Halve
            | ArrayOp::Pairs => self.joined(op, arguments, span),
            ArrayOp::Split
            | ArrayOp::Join
            | ArrayOp::Slide
            | ArrayOp::Windows
            | ArrayOp::Chunks
            | ArrayOp::ChunksExact => self.pieces(op, arguments, span),
            ArrayOp::Pad => self.pad(arguments, span),
            ArrayOp::Stencil => self.stencil(arguments, span),
            ArrayOp::Neighbour => self.neighbour(arguments),
            ArrayOp::Matmul | ArrayOp::Matvec | ArrayOp::OuterProduct => {
                self.linear(op, arguments, span)
            }
            ArrayOp::Materialize => {
                let array = self.array(&arguments[0])?;
                let leaves = self.materialized(&array, span)?;
                Ok(Value::Array(Array {
                    extents: array.extents,
                    tree: Box::new(array.tree.with_leaves(&leaves)),
                }))
            }
            _ => self.view(op, arguments, span),
        }
    }

    /// The array that an expression is; an element is an array of rank 0.
    pub(super) fn array(&mut self, expr: &'a Expr) -> Lowered<Array<'a>> {
        match self.sequence(expr)? {
            Value::Array(array) => Ok(array),
            element @ (Value::Scalar(_) | Value::Tuple(_) | Value::Option { .. }) => Ok(Array {
                extents: Vec::new(),
                tree: Box::new(element.map(&mut |leaf| self.abstracted(&[], &[], leaf))),
            }),
            _ => Err(Box::new(
                Diagnostic::new(expr.span, "expected an array, found an array of arrays")
                    .help("apply `map` to it, or use the array that it was made of"),
            )),
        }
    }

    /// An array or an array of arrays; a range is a vector.
    pub(super) fn sequence(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        match self.expr(expr)? {
            Value::Range(start, end) => self.range_vector(start, end, expr.span),
            other => Ok(other),
        }
    }

    /// The extents of an array or an array of arrays.
    pub(super) fn extents_of(&self, value: &Value<'a>) -> Vec<Id> {
        match value {
            Value::Array(array) => array.extents.clone(),
            Value::Nested(nested) => nested.extents.clone(),
            _ => Vec::new(),
        }
    }

    /// The element of an array, or the inner array of an array of arrays.
    pub(super) fn element_of(&mut self, value: &Value<'a>, indices: &[Id]) -> Value<'a> {
        match value {
            Value::Array(array) => self.element(array, indices),
            Value::Nested(nested) => {
                let element = std::rc::Rc::clone(&nested.element);
                element(self, indices)
            }
            other => other.clone(),
        }
    }

    /// The element of an array at an index in bounds.
    pub(super) fn element(&mut self, array: &Array<'a>, indices: &[Id]) -> Value<'a> {
        array.tree.map(&mut |leaf| self.index(leaf, indices))
    }

    /// Fresh index variables over extents.
    pub(super) fn indices(&mut self, rank: usize) -> (Vec<Var>, Vec<Id>) {
        (0..rank).map(|_| self.p.index_var()).unzip()
    }

    /// The array of what `f` gives at each index: elements make an array, arrays gain the axes in front, a tuple
    /// with arrays in it becomes a tuple of arrays.
    pub(super) fn tabulate(
        &mut self,
        extents: &[Id],
        span: Span,
        f: impl FnOnce(&mut Self, &[Id]) -> Lowered<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let (vars, indices) = self.indices(extents.len());
        let outer = std::mem::take(&mut self.effects);
        let value = self.in_domain(&vars, extents, |lower| f(lower, &indices))?;
        let effects = self.end_region(outer, &value.leaves());
        self.collected(extents, &vars, &effects, value, span)
    }

    pub(super) fn collected(
        &mut self,
        extents: &[Id],
        vars: &[Var],
        effects: &[Effect],
        value: Value<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        match value {
            Value::Tuple(fields) if fields.iter().any(Value::has_array) => {
                let fields: Lowered<_> = fields
                    .into_iter()
                    .map(|field| self.collected(extents, vars, effects, field, span))
                    .collect();
                Ok(Value::Tuple(fields?))
            }
            Value::Array(inner) => {
                let depends =
                    |lower: &Self, id: Id| lower.p.free(id).iter().any(|var| vars.contains(var));
                // What an element of the outer array checks is no part of a shape; the inner elements stand under it.
                let mut effects = effects.to_vec();
                let mut inner_extents = inner.extents.clone();
                for extent in &mut inner_extents {
                    if depends(self, *extent) {
                        *extent = self.unguarded(*extent, &depends, &mut effects);
                    }
                }
                if inner_extents.iter().any(|&extent| depends(self, extent)) {
                    return Err(Box::new(
                        Diagnostic::new(
                            span,
                            "irregular nesting: the shape of the inner array depends on the outer element",
                        )
                        .help("write `map_segments` in the place of `map`, whose results may have any lengths; or give every inner array one shape, or reduce it to a scalar"),
                    ));
                }
                let (inner_vars, inner_indices) = self.indices(inner.extents.len());
                let all_extents = [extents, &inner_extents].concat();
                let all_vars = [vars, &inner_vars].concat();
                let tree = inner.tree.map(&mut |leaf| {
                    let element = self.index(leaf, &inner_indices);
                    let element = self.under_all(&effects, element);
                    self.abstracted(&all_extents, &all_vars, element)
                });
                Ok(Value::Array(Array {
                    extents: all_extents,
                    tree: Box::new(tree),
                }))
            }
            Value::Nested(Nested { .. }) => Err(super::not_yet(
                span,
                "a closure that returns an array of arrays",
                "return the array itself",
            )),
            Value::Never => Err(Box::new(
                Diagnostic::new(span, "this closure never gives a value")
                    .help("let it return an element"),
            )),
            element => {
                let tree = element.map(&mut |leaf| {
                    let leaf = self.under_all(effects, leaf);
                    self.abstracted(extents, vars, leaf)
                });
                Ok(Value::Array(Array {
                    extents: extents.to_vec(),
                    tree: Box::new(tree),
                }))
            }
        }
    }

    /// An array over other extents whose element at `indices` is this one's at `f(indices)`.
    pub(super) fn reindexed(
        &mut self,
        array: &Array<'a>,
        extents: Vec<Id>,
        f: impl FnOnce(&mut Self, &[Id]) -> Vec<Id>,
    ) -> Array<'a> {
        let (vars, indices) = self.indices(extents.len());
        let from = f(self, &indices);
        let tree = array.tree.map(&mut |leaf| {
            let element = self.index(leaf, &from);
            self.abstracted(&extents, &vars, element)
        });
        Array {
            extents,
            tree: Box::new(tree),
        }
    }

    /// Marks reads of stored arrays by the variables of their own domain: evaluating them never hurts.
    pub(super) fn mark_safe(&mut self, value: &Value<'a>) {
        for leaf in value.leaves() {
            if let Node::Index { array, indices } = self.p.node(leaf)
                && matches!(
                    self.p.node(*array),
                    Node::Input { .. } | Node::Variable(_) | Node::Materialize(_)
                )
                && indices
                    .iter()
                    .all(|&index| matches!(self.p.node(index), Node::Variable(_)))
                && matches!(self.p.ty(leaf), Type::Scalar(_))
            {
                self.safe_reads.insert(leaf);
            }
        }
    }
}
