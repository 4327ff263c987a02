//! Views: the same elements at other places. A shape check comes first where one is needed; after it every read is
//! in bounds.

use super::nested::constant_axis;
use crate::ir::{Failure, Id};
use crate::lower::guards::{Effect, Requirement};
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{ArrayOp, Expr};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn view(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let arguments = &arguments[1..];
        let rank = array.extents.len();
        let array = match op {
            ArrayOp::Take | ArrayOp::Skip | ArrayOp::Tail | ArrayOp::Init => {
                let count = match arguments {
                    [count] => Some(self.scalar(count)?),
                    _ => None,
                };
                self.part(op, &array, count, span)
            }
            ArrayOp::Slice => self.slice(&array, arguments)?,
            ArrayOp::Row => {
                let index = self.scalar(&arguments[0])?;
                self.line(&array, 0, index, "row", span)
            }
            ArrayOp::Column => {
                let index = self.scalar(&arguments[0])?;
                self.line(&array, rank - 1, index, "column", span)
            }
            ArrayOp::Reshape => {
                let extents = self.expr(&arguments[0])?.leaves();
                self.reshape(&array, extents, span)
            }
            ArrayOp::Flatten => {
                let total = self.product(&array.extents);
                self.reshape(&array, vec![total], span)
            }
            ArrayOp::Transpose => self.permuted(&array, &(0..rank).rev().collect::<Vec<_>>()),
            ArrayOp::PermuteAxes => {
                let axes: Vec<usize> = arguments.iter().map(constant_axis).collect();
                self.permuted(&array, &axes)
            }
            ArrayOp::Reverse => {
                let n = array.extents[rank - 1];
                self.along_last(&array, n, |lower, i| {
                    let one = lower.p.usize(1);
                    let last = lower.binary(Binary::Sub, n, one);
                    lower.binary(Binary::Sub, last, i)
                })
            }
            ArrayOp::RotateLeft | ArrayOp::RotateRight => {
                let count = self.scalar(&arguments[0])?;
                self.rotated(&array, count, op == ArrayOp::RotateLeft, span)
            }
            ArrayOp::BroadcastTo => {
                let extents = self.expr(&arguments[0])?.leaves();
                self.broadcast(&array, extents, span)
            }
            ArrayOp::ExpandAxis => {
                let one = self.p.usize(1);
                self.replicated(&array, &[(constant_axis(&arguments[0]), one)])
            }
            ArrayOp::Replicate => {
                let mut axes = Vec::new();
                for pair in arguments.chunks_exact(2) {
                    axes.push((constant_axis(&pair[0]), self.scalar(&pair[1])?));
                }
                self.replicated(&array, &axes)
            }
            _ => {
                let steps = self.scalars(arguments)?;
                self.stepped(&array, &steps)
            }
        };
        Ok(Value::Array(array))
    }

    /// New axes, in ascending order of their places in the result.
    fn replicated(&mut self, array: &Array<'a>, axes: &[(usize, Id)]) -> Array<'a> {
        let mut extents = array.extents.clone();
        for &(axis, extent) in axes {
            extents.insert(axis, extent);
        }
        self.reindexed(array, extents, |_, at| {
            let mut at = at.to_vec();
            for &(axis, _) in axes.iter().rev() {
                at.remove(axis);
            }
            at
        })
    }

    /// Every k-th element of each axis; from the last one if k, a constant, is negative.
    fn stepped(&mut self, array: &Array<'a>, steps: &[Id]) -> Array<'a> {
        let one = self.p.usize(1);
        let steps: Vec<i64> = steps
            .iter()
            .map(|&step| self.constant_of(step).map_or(1, |step| step.bits as i64))
            .collect();
        let mut extents = Vec::new();
        for (&n, step) in array.extents.iter().zip(&steps) {
            // The same as (n + k - 1) / k, without overflow.
            let k = step.unsigned_abs();
            let (above, k) = (self.p.usize(k - 1), self.p.usize(k));
            let whole = self.binary(Binary::Div, n, k);
            let rest = self.binary(Binary::Rem, n, k);
            let rounded = self.binary(Binary::Add, rest, above);
            let rounded = self.binary(Binary::Div, rounded, k);
            extents.push(self.binary(Binary::Add, whole, rounded));
        }
        let old = array.extents.clone();
        self.reindexed(array, extents, |lower, at| {
            let mut from = Vec::new();
            for ((&i, step), &n) in at.iter().zip(&steps).zip(&old) {
                let k = lower.p.usize(step.unsigned_abs());
                let along = lower.binary(Binary::Mul, i, k);
                from.push(if *step > 0 {
                    along
                } else {
                    let last = lower.binary(Binary::Sub, n, one);
                    lower.binary(Binary::Sub, last, along)
                });
            }
            from
        })
    }

    pub(super) fn out_of_bounds(
        &mut self,
        condition: Id,
        message: &str,
        values: Vec<Id>,
        span: Span,
    ) -> Option<Effect> {
        self.require_shape(Requirement {
            condition,
            kind: Failure::OutOfBounds,
            message: message.to_owned(),
            values,
            span,
        })
    }

    /// The last axis with another extent, and index.
    pub(super) fn along_last(
        &mut self,
        array: &Array<'a>,
        extent: Id,
        from: impl FnOnce(&mut Self, Id) -> Id,
    ) -> Array<'a> {
        let mut extents = array.extents.clone();
        *extents.last_mut().expect("an axis") = extent;
        self.reindexed(array, extents, |lower, at| {
            let (&last, outer) = at.split_last().expect("an axis");
            let last = from(lower, last);
            [outer, &[last]].concat()
        })
    }

    /// `take`, `skip`, `tail`, `init`, along the last axis.
    fn part(&mut self, op: ArrayOp, array: &Array<'a>, count: Option<Id>, span: Span) -> Array<'a> {
        let n = *array.extents.last().expect("an axis");
        let one = self.p.usize(1);
        let count = count.unwrap_or(one);
        let name = match op {
            ArrayOp::Take => "take",
            ArrayOp::Skip => "skip",
            ArrayOp::Tail => "tail",
            _ => "init",
        };
        let condition = self.binary(Binary::Le, count, n);
        let message = match op {
            ArrayOp::Take | ArrayOp::Skip => format!("`{name}` of {{0}} of an axis of {{1}}"),
            _ => format!("`{name}` of an empty axis"),
        };
        let values = match op {
            ArrayOp::Take | ArrayOp::Skip => vec![count, n],
            _ => vec![],
        };
        let effects: Vec<_> = self
            .out_of_bounds(condition, &message, values, span)
            .into_iter()
            .collect();
        let rest = self.binary(Binary::Sub, n, count);
        let array = match op {
            ArrayOp::Take => self.along_last(array, count, |_, i| i),
            ArrayOp::Init => self.along_last(array, rest, |_, i| i),
            _ => self.along_last(array, rest, |lower, i| lower.binary(Binary::Add, i, count)),
        };
        self.guarded_array(&effects, array)
    }

    /// `xs.slice(..)`: an index drops its axis, a range keeps it.
    fn slice(&mut self, array: &Array<'a>, arguments: &'a [Expr]) -> Lowered<Array<'a>> {
        let (mut of_extents, mut of_elements) = (Vec::new(), Vec::new());
        let mut starts = Vec::new();
        let mut extents = Vec::new();
        for (argument, &n) in arguments.iter().zip(&array.extents) {
            match self.expr(argument)? {
                Value::Range(start, end) => {
                    let ordered = self.binary(Binary::Le, start, end);
                    let message = "slice from {0} to {1}";
                    of_extents.extend(self.out_of_bounds(
                        ordered,
                        message,
                        vec![start, end],
                        argument.span,
                    ));
                    let within = self.binary(Binary::Le, end, n);
                    let message = "slice up to {0} of an axis of {1}";
                    of_extents.extend(self.out_of_bounds(
                        within,
                        message,
                        vec![end, n],
                        argument.span,
                    ));
                    extents.push(self.binary(Binary::Sub, end, start));
                    starts.push((start, true));
                }
                index => {
                    let index = index.scalar();
                    let within = self.binary(Binary::Lt, index, n);
                    let message = "index {0} of an axis of {1} in `slice`";
                    of_elements.extend(self.out_of_bounds(
                        within,
                        message,
                        vec![index, n],
                        argument.span,
                    ));
                    starts.push((index, false));
                }
            }
        }
        let sliced = self.reindexed(array, extents, |lower, at| {
            let mut at = at.iter();
            starts
                .iter()
                .map(|&(start, kept)| {
                    if kept {
                        let &i = at.next().expect("an axis that was kept");
                        lower.binary(Binary::Add, start, i)
                    } else {
                        start
                    }
                })
                .collect()
        });
        let sliced = self.guarded_elements(&of_elements, sliced);
        Ok(self.guarded_array(&of_extents, sliced))
    }

    /// One index of one axis: an array of a rank less.
    fn line(
        &mut self,
        array: &Array<'a>,
        axis: usize,
        index: Id,
        what: &str,
        span: Span,
    ) -> Array<'a> {
        let n = array.extents[axis];
        let condition = self.binary(Binary::Lt, index, n);
        let message = format!("{what} {{0}} of {{1}}");
        let effects: Vec<_> = self
            .out_of_bounds(condition, &message, vec![index, n], span)
            .into_iter()
            .collect();
        let mut extents = array.extents.clone();
        extents.remove(axis);
        let line = self.reindexed(array, extents, |_, at| {
            let mut at = at.to_vec();
            at.insert(axis, index);
            at
        });
        self.guarded_elements(&effects, line)
    }

    /// The same elements in row-major order.
    fn reshape(&mut self, array: &Array<'a>, extents: Vec<Id>, span: Span) -> Array<'a> {
        let (from, to) = (self.product(&array.extents), self.product(&extents));
        let equal = self.binary(Binary::Eq, from, to);
        let fits = self.product_fits(&extents);
        let condition = self.binary(Binary::And, equal, fits);
        let effect = self.require_shape(Requirement {
            condition,
            kind: Failure::ShapeMismatch,
            message: "`reshape` of {0} elements to {1}".to_owned(),
            values: vec![from, to],
            span,
        });
        let effects: Vec<_> = effect.into_iter().collect();
        let old = array.extents.clone();
        let new = extents.clone();
        let reshaped = self.reindexed(array, extents, |lower, at| {
            let linear = lower.linear_index(&new, at);
            lower.unravelled(&old, linear)
        });
        self.guarded_array(&effects, reshaped)
    }

    /// The row-major position of an index.
    pub(super) fn linear_index(&mut self, extents: &[Id], at: &[Id]) -> Id {
        let zero = self.p.usize(0);
        at.iter().zip(extents).fold(zero, |linear, (&i, &extent)| {
            let scaled = self.binary(Binary::Mul, linear, extent);
            self.binary(Binary::Add, scaled, i)
        })
    }

    /// The index at a row-major position.
    pub(super) fn unravelled(&mut self, extents: &[Id], linear: Id) -> Vec<Id> {
        let mut rest = linear;
        let mut at = Vec::new();
        for (axis, &extent) in extents.iter().enumerate().rev() {
            if axis == 0 {
                at.push(rest);
            } else {
                at.push(self.binary(Binary::Rem, rest, extent));
                rest = self.binary(Binary::Div, rest, extent);
            }
        }
        at.reverse();
        at
    }

    /// Axis k of the result is axis `axes[k]` of the array.
    fn permuted(&mut self, array: &Array<'a>, axes: &[usize]) -> Array<'a> {
        let extents = axes.iter().map(|&axis| array.extents[axis]).collect();
        self.reindexed(array, extents, |_, at| {
            let mut from = at.to_vec();
            for (k, &axis) in axes.iter().enumerate() {
                from[axis] = at[k];
            }
            from
        })
    }

    /// As on slices: at most the whole axis.
    fn rotated(&mut self, array: &Array<'a>, count: Id, left: bool, span: Span) -> Array<'a> {
        let n = *array.extents.last().expect("an axis");
        let condition = self.binary(Binary::Le, count, n);
        let message = "rotation by {0} of an axis of {1}";
        let effects: Vec<_> = self
            .out_of_bounds(condition, message, vec![count, n], span)
            .into_iter()
            .collect();
        let shift = if left {
            count
        } else {
            self.binary(Binary::Sub, n, count)
        };
        let rotated = self.along_last(array, n, |lower, i| {
            let from = lower.binary(Binary::Add, i, shift);
            let wrapped = lower.binary(Binary::Sub, from, n);
            let inside = lower.binary(Binary::Lt, from, n);
            lower.select(inside, from, wrapped)
        });
        self.guarded_elements(&effects, rotated)
    }

    /// Trailing axes are aligned; an axis of extent 1 is repeated, and so are axes that the array lacks.
    fn broadcast(&mut self, array: &Array<'a>, extents: Vec<Id>, span: Span) -> Array<'a> {
        let missing = extents.len() - array.extents.len();
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let mut effects = Vec::new();
        for (&from, &to) in array.extents.iter().zip(&extents[missing..]) {
            let same = self.binary(Binary::Eq, from, to);
            let single = self.binary(Binary::Eq, from, one);
            let condition = self.or(same, single);
            effects.extend(self.require_shape(Requirement {
                condition,
                kind: Failure::ShapeMismatch,
                message: "broadcast of an axis of {0} to {1}".to_owned(),
                values: vec![from, to],
                span,
            }));
        }
        let old = array.extents.clone();
        let new = extents[missing..].to_vec();
        let array = self.reindexed(array, extents, |lower, at| {
            let axes = old.iter().zip(&new).zip(&at[missing..]);
            axes.map(|((&from, &to), &i)| {
                if from == to {
                    return i;
                }
                let single = lower.binary(Binary::Eq, from, one);
                lower.select(single, zero, i)
            })
            .collect()
        });
        self.guarded_array(&effects, array)
    }
}
