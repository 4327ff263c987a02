//! Arrays out of nothing: `generate`, `fill`, `iota`, ranges, `linspace`.

use crate::ir::{Id, Node};
use crate::lower::value::Value;
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf};
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn source(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        match op {
            ArrayOp::Generate => {
                let extents = self.new_extents("generate", &arguments[0])?;
                let closure = self.closure(&arguments[1])?;
                self.tabulate(&extents, span, |lower, indices| {
                    let index = index_value(indices);
                    lower.apply(&closure, vec![index])
                })
            }
            ArrayOp::Fill => {
                let extents = self.new_extents("fill", &arguments[0])?;
                let value = self.expr(&arguments[1])?;
                self.tabulate(&extents, span, |_, _| Ok(value))
            }
            ArrayOp::Iota => {
                let extents = self.new_extents("iota", &arguments[0])?;
                self.tabulate(&extents, span, |_, indices| Ok(Value::Scalar(indices[0])))
            }
            ArrayOp::RangeVector => {
                let (start, end) = match arguments {
                    [range] => match self.expr(range)? {
                        Value::Range(start, end) => (start, end),
                        other => {
                            let leaves = other.leaves();
                            (leaves[0], leaves[1])
                        }
                    },
                    _ => (self.scalar(&arguments[0])?, self.scalar(&arguments[1])?),
                };
                self.range_vector(start, end, span)
            }
            _ => {
                let a = self.scalar(&arguments[0])?;
                let b = self.scalar(&arguments[1])?;
                let count = self.scalar(&arguments[2])?;
                self.tabulate(&[count], span, |lower, indices| {
                    Ok(Value::Scalar(lower.linspace(a, b, count, indices[0])))
                })
            }
        }
    }

    /// The extents of a new array. A difference that wraps is an error: no array is as long as that.
    fn new_extents(&mut self, name: &str, shape: &'a Expr) -> Lowered<Vec<Id>> {
        let mut extents = self.expr(shape)?.leaves();
        for extent in &mut extents {
            let (mut added, mut taken) = (Vec::new(), Vec::new());
            self.terms_of(*extent, &mut added, &mut taken);
            if taken.is_empty() {
                continue;
            }
            let zero = self.p.usize(0);
            let [added, taken] = [added, taken].map(|terms| {
                let sum = terms
                    .into_iter()
                    .reduce(|a, b| self.binary(Binary::Add, a, b));
                sum.unwrap_or(zero)
            });
            // One difference: `n - k + 1` is 0 where k is n + 1, and nothing of it has wrapped.
            *extent = self.binary(Binary::Sub, added, taken);
            let condition = self.binary(Binary::Le, taken, added);
            let message = format!("`{name}` of {{0}} - {{1}} elements");
            let effect = self.out_of_bounds(condition, &message, vec![added, taken], shape.span);
            if let Some(effect) = effect {
                *extent = self.under(&effect, *extent);
            }
        }
        Ok(extents)
    }

    /// What is added up to an extent, and what is taken from it.
    fn terms_of(&self, extent: Id, added: &mut Vec<Id>, taken: &mut Vec<Id>) {
        match *self.p.node(extent) {
            Node::Binary(Binary::Add, a, b) => {
                self.terms_of(a, added, taken);
                self.terms_of(b, added, taken);
            }
            Node::Binary(Binary::Sub, a, b) => {
                self.terms_of(a, added, taken);
                self.terms_of(b, taken, added);
            }
            _ => added.push(extent),
        }
    }

    pub(super) fn range_vector(&mut self, start: Id, end: Id, span: Span) -> Lowered<Value<'a>> {
        let leaf = self.p.leaf(start);
        let some = self.binary(Binary::Lt, start, end);
        let length = self.binary(Binary::Sub, end, start);
        let length = self.cast(crate::lower::loops::unsigned(leaf), length);
        let length = self.cast(Leaf::U64, length);
        let zero = self.p.usize(0);
        // `0..n` has n elements even where nothing is known about n.
        let length =
            if self.constant_of(start).is_some_and(|start| start.bits == 0) && leaf == Leaf::U64 {
                end
            } else {
                self.select(some, length, zero)
            };
        self.tabulate(&[length], span, |lower, indices| {
            let step = lower.cast(leaf, indices[0]);
            Ok(Value::Scalar(lower.binary(Binary::Add, start, step)))
        })
    }

    /// `a + i * (b - a) / (count - 1)`, with both ends exact; one point is `a`.
    fn linspace(&mut self, a: Id, b: Id, count: Id, i: Id) -> Id {
        let leaf = self.p.leaf(a);
        if leaf.is_half() {
            // Not even the number of points need be one of 16 bits.
            let [a, b] = [a, b].map(|end| self.cast(Leaf::F32, end));
            let point = self.linspace(a, b, count, i);
            return self.cast(leaf, point);
        }
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let last = self.binary(Binary::Sub, count, one);
        let span = self.p.binary(Binary::Sub, b, a);
        let (position, steps) = (self.cast(leaf, i), self.cast(leaf, last));
        let part = self.p.binary(Binary::Mul, position, span);
        let part = self.p.binary(Binary::Div, part, steps);
        let between = self.p.binary(Binary::Add, a, part);
        let at_end = self.binary(Binary::Eq, i, last);
        let at_start = self.binary(Binary::Eq, i, zero);
        let rest = self.select(at_end, b, between);
        self.select(at_start, a, rest)
    }
}

/// A closure's index argument: a `usize`, or a tuple of them.
pub(super) fn index_value<'a>(indices: &[Id]) -> Value<'a> {
    match indices {
        [index] => Value::Scalar(*index),
        _ => Value::Tuple(indices.iter().map(|&index| Value::Scalar(index)).collect()),
    }
}
