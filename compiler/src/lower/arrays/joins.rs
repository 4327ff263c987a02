//! Arrays put together and taken apart again: `concat`, `concat_axis`, `stack`, `interleave`, and `deinterleave`,
//! `halve`, `pairs`. What puts together reads each part only where its elements are wanted.

use super::nested::constant_axis;
use crate::ir::{Failure, Id, Node};
use crate::lower::guards::{Effect, Requirement};
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn joined(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let first = self.array(&arguments[0])?;
        let last = first.extents.len().wrapping_sub(1);
        Ok(match op {
            ArrayOp::Concat => {
                let other = self.array(&arguments[1])?;
                Value::Array(self.concat(&first, &other, last, "concat", span))
            }
            ArrayOp::ConcatAxis => {
                let axis = constant_axis(&arguments[1]);
                let other = self.array(&arguments[2])?;
                Value::Array(self.concat(&first, &other, axis, "concat_axis", span))
            }
            ArrayOp::Stack => {
                let mut arrays = vec![first];
                for argument in &arguments[1..] {
                    arrays.push(self.array(argument)?);
                }
                let (extents, effects) = self.alike(&arrays, "stack", span);
                let count = self.p.usize(arrays.len() as u64);
                let extents = [&[count], &extents[..]].concat();
                Value::Array(self.chosen(&arrays, extents, &effects, |_, at| {
                    (at[0], at[1..].to_vec())
                }))
            }
            ArrayOp::Interleave => {
                let other = self.array(&arguments[1])?;
                let arrays = [first, other];
                let (mut extents, effects) = self.alike(&arrays, "interleave", span);
                let two = self.p.usize(2);
                extents[last] = self.binary(Binary::Mul, extents[last], two);
                Value::Array(self.chosen(&arrays, extents, &effects, |lower, at| {
                    let mut from = at.to_vec();
                    from[last] = lower.binary(Binary::Div, at[last], two);
                    (lower.binary(Binary::Rem, at[last], two), from)
                }))
            }
            ArrayOp::Deinterleave => {
                let (one, two) = (self.p.usize(1), self.p.usize(2));
                let n = first.extents[last];
                let odds = self.binary(Binary::Div, n, two);
                let rest = self.binary(Binary::Rem, n, two);
                let evens = self.binary(Binary::Add, odds, rest);
                let mut every_second = |extent: Id, from: Option<Id>| {
                    Value::Array(self.along_last(&first, extent, |lower, i| {
                        let even = lower.binary(Binary::Mul, i, two);
                        from.map_or(even, |from| lower.binary(Binary::Add, even, from))
                    }))
                };
                let evens = every_second(evens, None);
                Value::Tuple(vec![evens, every_second(odds, Some(one))])
            }
            ArrayOp::Halve => {
                let two = self.p.usize(2);
                let n = first.extents[last];
                let half = self.binary(Binary::Div, n, two);
                let rest = self.binary(Binary::Sub, n, half);
                let left = self.along_last(&first, half, |_, i| i);
                let right =
                    self.along_last(&first, rest, |lower, i| lower.binary(Binary::Add, i, half));
                Value::Tuple(vec![Value::Array(left), Value::Array(right)])
            }
            _ => Value::Array(self.paired(&first, span)),
        })
    }

    /// The common extents of arrays.
    fn alike(&mut self, arrays: &[Array<'a>], what: &str, span: Span) -> (Vec<Id>, Vec<Effect>) {
        let values: Vec<Value<'a>> = arrays.iter().cloned().map(Value::Array).collect();
        self.one_shape(&values, what, span)
    }

    /// The array whose element at an index is that of one of several arrays at another index, as `f` says.
    fn chosen(
        &mut self,
        arrays: &[Array<'a>],
        extents: Vec<Id>,
        effects: &[Effect],
        f: impl FnOnce(&mut Self, &[Id]) -> (Id, Vec<Id>),
    ) -> Array<'a> {
        let (vars, at) = self.indices(extents.len());
        let (which, from) = f(self, &at);
        let mut sides: Vec<Vec<Id>> = arrays
            .iter()
            .map(|array| self.element(array, &from).leaves())
            .collect();
        let mut leaves = sides.pop().expect("an array");
        while let Some(side) = sides.pop() {
            let number = self.p.usize(sides.len() as u64);
            let here = self.binary(Binary::Eq, which, number);
            leaves = self.either(here, side, leaves);
        }
        let leaves: Vec<Id> = leaves
            .into_iter()
            .map(|leaf| self.abstracted(&extents, &vars, leaf))
            .collect();
        let array = Array {
            tree: Box::new(arrays[0].tree.with_leaves(&leaves)),
            extents,
        };
        self.guarded_array(effects, array)
    }

    /// One of two elements: the other one is not evaluated.
    pub(super) fn either(&mut self, condition: Id, then: Vec<Id>, otherwise: Vec<Id>) -> Vec<Id> {
        match self.known(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => {
                let bundle = self.p.add(Node::If {
                    condition,
                    then,
                    otherwise,
                });
                self.p.components(bundle)
            }
        }
    }

    /// Two arrays one after the other along an axis.
    fn concat(
        &mut self,
        a: &Array<'a>,
        b: &Array<'a>,
        axis: usize,
        what: &str,
        span: Span,
    ) -> Array<'a> {
        let (first, second) = (a.extents[axis], b.extents[axis]);
        let mut effects = Vec::new();
        for other in (0..a.extents.len()).filter(|&other| other != axis) {
            let message =
                format!("`{what}` of arrays of extents {{0}} and {{1}} along axis {other}");
            let equal = self.require_equal(a.extents[other], b.extents[other], &message, span);
            effects.extend(equal);
        }
        let mut extents = a.extents.clone();
        extents[axis] = self.binary(Binary::Add, first, second);
        let (vars, at) = self.indices(extents.len());
        let left = self.binary(Binary::Lt, at[axis], first);
        let mut beyond = at.clone();
        beyond[axis] = self.binary(Binary::Sub, at[axis], first);
        let then = self.element(a, &at).leaves();
        let otherwise = self.element(b, &beyond).leaves();
        let leaves: Vec<Id> = self
            .either(left, then, otherwise)
            .into_iter()
            .map(|leaf| self.abstracted(&extents, &vars, leaf))
            .collect();
        let array = Array {
            tree: Box::new(a.tree.with_leaves(&leaves)),
            extents,
        };
        self.guarded_array(&effects, array)
    }

    /// Neighbours along the last axis as tuples.
    fn paired(&mut self, array: &Array<'a>, span: Span) -> Array<'a> {
        let &n = array.extents.last().expect("an axis");
        let (zero, one, two) = (self.p.usize(0), self.p.usize(1), self.p.usize(2));
        let rest = self.binary(Binary::Rem, n, two);
        let condition = self.binary(Binary::Eq, rest, zero);
        let effects: Vec<Effect> = self
            .require_shape(Requirement {
                condition,
                kind: Failure::Indivisible,
                message: "`pairs` of {0} elements".to_owned(),
                values: vec![n],
                span,
            })
            .into_iter()
            .collect();
        let half = self.binary(Binary::Div, n, two);
        let side = |lower: &mut Self, from: Option<Id>| {
            lower.along_last(array, half, |lower, i| {
                let even = lower.binary(Binary::Mul, i, two);
                from.map_or(even, |from| lower.binary(Binary::Add, even, from))
            })
        };
        let (left, right) = (side(self, None), side(self, Some(one)));
        let pairs = Array {
            extents: left.extents,
            tree: Box::new(Value::Tuple(vec![*left.tree, *right.tree])),
        };
        self.guarded_array(&effects, pairs)
    }
}
