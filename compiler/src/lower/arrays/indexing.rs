//! Reads by index: `gather`, `select`, `first`, `last`, `get`, and the shape itself.

use super::sources::index_value;
use crate::ir::{Failure, Id};
use crate::lower::guards::Requirement;
use crate::lower::value::Value;
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn indexing(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let value = self.sequence(&arguments[0])?;
        let extents = self.extents_of(&value);
        match op {
            ArrayOp::Len => Ok(Value::Scalar(self.product(&extents))),
            ArrayOp::Shape => Ok(index_value(&extents)),
            ArrayOp::Value => Ok(self.element_of(&value, &[])),
            ArrayOp::Gather => {
                let shape = self.expr(&arguments[1])?.leaves();
                let closure = self.closure(&arguments[2])?;
                self.tabulate(&shape, closure.closure.span, |lower, indices| {
                    let index = index_value(indices);
                    let from = lower.apply(&closure, vec![index])?.leaves();
                    Ok(lower.checked_read(&value, &from, "gather", span))
                })
            }
            ArrayOp::Select => {
                let indices = self.array(&arguments[1])?;
                self.tabulate(&indices.extents.clone(), span, |lower, at| {
                    let from = lower.element(&indices, at).leaves();
                    Ok(lower.checked_read(&value, &from, "select", span))
                })
            }
            ArrayOp::First | ArrayOp::Last => self.end(op == ArrayOp::Last, &value, &extents, span),
            ArrayOp::Get => {
                let indices = self.expr(&arguments[1])?.leaves();
                self.get(&value, &extents, &indices, span)
            }
            _ => {
                let indices = self.expr(&arguments[1])?.leaves();
                Ok(self.element_of(&value, &indices))
            }
        }
    }

    /// The first or last along the last axis: an element of a vector, else an array of one rank less.
    fn end(
        &mut self,
        last: bool,
        value: &Value<'a>,
        extents: &[Id],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let (&extent, outer) = extents.split_last().expect("an axis");
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let index = if last {
            self.binary(Binary::Sub, extent, one)
        } else {
            zero
        };
        let condition = self.binary(Binary::Lt, zero, extent);
        let what = if last { "last" } else { "first" };
        let requirement = Requirement {
            condition,
            kind: Failure::OutOfBounds,
            message: format!("`{what}` of an empty axis"),
            values: vec![],
            span,
        };
        if outer.is_empty() {
            let effects: Vec<_> = self.require_value(requirement).into_iter().collect();
            let element = self.element_of(value, &[index]);
            return Ok(self.guarded(&effects, element));
        }
        let effects: Vec<_> = self.require_shape(requirement).into_iter().collect();
        let outer = outer.to_vec();
        let lines = self.tabulate(&outer, span, |lower, at| {
            Ok(lower.element_of(value, &[at, &[index]].concat()))
        })?;
        Ok(self.guarded(&effects, lines))
    }

    /// `xs.get(i)`: the read happens only in bounds.
    fn get(
        &mut self,
        value: &Value<'a>,
        extents: &[Id],
        indices: &[Id],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let mut inside = self.p.bool(true);
        for (&index, &extent) in indices.iter().zip(extents) {
            let below = self.binary(Binary::Lt, index, extent);
            inside = self.and(inside, below);
        }
        let element = self.element_of(value, indices);
        let zeros: Vec<Id> = element
            .leaves()
            .into_iter()
            .map(|leaf| {
                let leaf = self.p.leaf(leaf);
                self.int_or_zero(leaf)
            })
            .collect();
        let zero = element.with_leaves(&zeros);
        let payload = self.branch(span, inside, |_| Ok(element), |_| Ok(zero))?;
        Ok(Value::Option {
            some: inside,
            payload: Box::new(payload),
        })
    }

    fn int_or_zero(&mut self, leaf: crate::scalar::Leaf) -> Id {
        self.p.constant(crate::scalar::Scalar { leaf, bits: 0 })
    }
}
