//! The first axis in pieces: `split`, `join`, `slide`, and as arrays of arrays `windows`, `chunks`, `chunks_exact`.

use crate::ir::{Failure, Id};
use crate::lower::guards::{Effect, Requirement};
use crate::lower::value::{Array, Nested, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;
use std::rc::Rc;

/// How the pieces lie: their number, their extent, and how far one begins after the other.
struct Cut {
    count: Id,
    size: Id,
    step: Id,
}

impl<'a> Lower<'a> {
    pub(super) fn pieces(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        if op == ArrayOp::Join {
            return Ok(Value::Array(self.rows_joined(&array)));
        }
        let numbers = self.scalars(&arguments[1..])?;
        let n = array.extents[0];
        let (cut, effects) = match op {
            ArrayOp::Slide | ArrayOp::Windows => {
                let one = self.p.usize(1);
                let step = numbers.get(1).copied().unwrap_or(one);
                self.overlapping(n, numbers[0], step, span)
            }
            _ => {
                let name = match op {
                    ArrayOp::Split => "split",
                    ArrayOp::Chunks => "chunks",
                    _ => "chunks_exact",
                };
                self.disjoint(n, numbers[0], name, op == ArrayOp::ChunksExact, span)
            }
        };
        let Cut { count, size, step } = cut;
        let value = if matches!(op, ArrayOp::Split | ArrayOp::Slide) {
            let extents = [&[count, size], &array.extents[1..]].concat();
            Value::Array(self.reindexed(&array, extents, |lower, at| {
                let start = lower.binary(Binary::Mul, at[0], step);
                let from = lower.binary(Binary::Add, start, at[1]);
                [&[from], &at[2..]].concat()
            }))
        } else {
            Value::Nested(Nested {
                extents: vec![count],
                element: Rc::new(move |lower, outer| {
                    let start = lower.binary(Binary::Mul, outer[0], step);
                    let mut extents = array.extents.clone();
                    extents[0] = size;
                    Value::Array(lower.reindexed(&array, extents, |lower, at| {
                        let from = lower.binary(Binary::Add, start, at[0]);
                        [&[from], &at[1..]].concat()
                    }))
                }),
            })
        };
        Ok(self.guarded(&effects, value))
    }

    /// Parts side by side. Without `remainder` they have to cover the axis.
    fn disjoint(
        &mut self,
        n: Id,
        size: Id,
        what: &str,
        remainder: bool,
        span: Span,
    ) -> (Cut, Vec<Effect>) {
        let zero = self.p.usize(0);
        let divisor = self.at_least_one(size);
        let some = self.binary(Binary::Lt, zero, size);
        let condition = if remainder {
            some
        } else {
            let rest = self.binary(Binary::Rem, n, divisor);
            let divides = self.binary(Binary::Eq, rest, zero);
            self.and(some, divides)
        };
        let effect = self.require_shape(Requirement {
            condition,
            kind: Failure::Indivisible,
            message: format!("`{what}` of {{0}} elements into parts of {{1}}"),
            values: vec![n, size],
            span,
        });
        let count = self.binary(Binary::Div, n, divisor);
        let cut = Cut {
            count,
            size,
            step: size,
        };
        (cut, effect.into_iter().collect())
    }

    /// As many windows as fit.
    fn overlapping(&mut self, n: Id, size: Id, step: Id, span: Span) -> (Cut, Vec<Effect>) {
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let (some, moves) = (
            self.binary(Binary::Lt, zero, size),
            self.binary(Binary::Lt, zero, step),
        );
        let condition = self.and(some, moves);
        let effect = self.require_shape(Requirement {
            condition,
            kind: Failure::AssertionFailed,
            message: "windows of {0} elements at every {1}".to_owned(),
            values: vec![size, step],
            span,
        });
        let divisor = self.at_least_one(step);
        let room = self.binary(Binary::Sub, n, size);
        let steps = self.binary(Binary::Div, room, divisor);
        let count = self.binary(Binary::Add, steps, one);
        let fits = self.binary(Binary::Le, size, n);
        let count = self.select(fits, count, zero);
        (Cut { count, size, step }, effect.into_iter().collect())
    }

    /// What may divide: the number, or one where it is zero.
    pub(super) fn at_least_one(&mut self, number: Id) -> Id {
        if let Some(constant) = self.constant_of(number) {
            return self.p.usize(constant.bits.max(1));
        }
        let one = self.p.usize(1);
        self.binary(Binary::Max, number, one)
    }

    /// The first two axes as one.
    fn rows_joined(&mut self, array: &Array<'a>) -> Array<'a> {
        let inner = array.extents[1];
        let total = self.binary(Binary::Mul, array.extents[0], inner);
        let extents = [&[total], &array.extents[2..]].concat();
        self.reindexed(array, extents, |lower, at| {
            let outer = lower.binary(Binary::Div, at[0], inner);
            let within = lower.binary(Binary::Rem, at[0], inner);
            [&[outer, within], &at[1..]].concat()
        })
    }
}
