//! `while`, `loop` and `for`, in terms of rounds; `state` makes the node.

use super::value::{Key, Value};
use super::walk::{has_effects, written};
use super::{Lower, Lowered};
use crate::ir::Id;
use crate::scalar::{Binary, Leaf};
use crate::typed::{Expr, For, Label};
use std::collections::BTreeMap;

impl<'a> Lower<'a> {
    /// `while condition { body }`.
    pub(super) fn while_loop(
        &mut self,
        label: Label,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Lowered<()> {
        let plain = !has_effects(condition);
        let mut writes = BTreeMap::new();
        written(condition, &mut writes);
        written(body, &mut writes);
        if !plain {
            writes.insert(Key::broken(label), None);
        }
        self.rounds(
            label,
            condition.span,
            writes,
            &mut |lower| {
                if plain {
                    lower.scalar(condition)
                } else {
                    Ok(lower.p.bool(true))
                }
            },
            &mut |lower| {
                if plain {
                    return lower.expr(body).map(drop);
                }
                // A condition with effects is part of the round.
                let goes_on = lower.scalar(condition)?;
                let round = |lower: &mut Self| lower.expr(body).map(|_| Value::unit());
                let stop = |lower: &mut Self| {
                    lower.set_flag(Key::broken(label), true);
                    Ok(Value::unit())
                };
                lower.branch(condition.span, goes_on, round, stop).map(drop)
            },
        )
    }

    /// `for pattern in start..end`.
    pub(super) fn for_loop(&mut self, each: &'a For) -> Lowered<()> {
        let span = each.range.start.span;
        let parts = [
            Some(&each.range.start),
            Some(&each.range.end),
            each.range.step.as_ref(),
        ];
        let mut values = [None; 3];
        for (value, part) in values.iter_mut().zip(parts) {
            let Some(part) = part else { continue };
            let lowered = self.expr(part)?;
            if let Value::Never = lowered {
                return Ok(());
            }
            *value = Some(lowered.scalar());
        }
        let [Some(start), Some(end), step] = values else {
            unreachable!("a range has two ends");
        };
        let leaf = self.p.leaf(start);
        if let (Some(value), Some(step)) = (step, &each.range.step) {
            let zero = self.p.usize(0);
            let condition = self.binary(Binary::Lt, zero, value);
            self.assert(condition, "`step_by` of 0", step.span);
        }
        if let Some(items) = self.unrolled(each, start, end, step) {
            for item in items {
                let item = self.p.constant(item);
                self.bind(&each.pattern, Value::Scalar(item));
                let value = self.expr(&each.body)?;
                self.evaluated(&value);
            }
            return Ok(());
        }
        let mut writes = BTreeMap::new();
        written(&each.body, &mut writes);
        let counter = Key::counter(each.label);
        writes.insert(counter, None);
        let simple = !each.range.inclusive && !each.range.reversed && step.is_none();
        let (first, count) = if simple {
            (start, end)
        } else {
            let count = self.round_count(start, end, each.range.inclusive, step);
            (self.p.usize(0), count)
        };
        let bounds = self.hull(start).zip(self.hull(end));
        let bounds =
            bounds.map(|((low, _), (_, high))| (low, high - i128::from(!each.range.inclusive)));
        self.environment.insert(counter, Value::Scalar(first));
        let result = self.rounds(
            each.label,
            span,
            writes,
            &mut |lower| {
                let k = lower.environment[&counter].scalar();
                Ok(lower.binary(Binary::Lt, k, count))
            },
            &mut |lower| {
                let k = lower.environment[&counter].scalar();
                let item = if simple {
                    k
                } else {
                    let mut at = k;
                    if each.range.backwards {
                        let one = lower.p.usize(1);
                        let last = lower.binary(Binary::Sub, count, one);
                        at = lower.binary(Binary::Sub, last, k);
                    }
                    lower.item(at, start, end, leaf, each, step)
                };
                if let (Some(bounds), None) = (bounds, lower.constant_of(item)) {
                    lower.counters.insert(item, bounds);
                }
                lower.bind(&each.pattern, Value::Scalar(item));
                lower.expr(&each.body)?;
                let one = lower.int(lower.p.leaf(k), 1);
                let next = lower.p.binary(Binary::Add, k, one);
                lower.environment.insert(counter, Value::Scalar(next));
                Ok(())
            },
        );
        self.environment.remove(&counter);
        result
    }

    /// How many rounds a `for` makes (`U64`). A range over all of `u64`, both ends included, makes none.
    fn round_count(&mut self, start: Id, end: Id, inclusive: bool, step: Option<Id>) -> Id {
        let leaf = self.p.leaf(start);
        let unsigned = unsigned(leaf);
        let op = if inclusive { Binary::Le } else { Binary::Lt };
        let some = self.binary(op, start, end);
        let length = self.binary(Binary::Sub, end, start);
        let length = self.cast(unsigned, length);
        let length = self.cast(Leaf::U64, length);
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let last = if inclusive {
            length
        } else {
            self.binary(Binary::Sub, length, one)
        };
        let last = match step {
            Some(step) => {
                // At least 1, so that the host may compute it before the check of the step.
                let step = self.p.binary(Binary::Max, step, one);
                self.binary(Binary::Div, last, step)
            }
            None => last,
        };
        let count = self.binary(Binary::Add, last, one);
        self.select(some, count, zero)
    }

    /// The value of round `k`.
    fn item(&mut self, k: Id, start: Id, end: Id, leaf: Leaf, each: &For, step: Option<Id>) -> Id {
        let distance = match step {
            Some(step) => self.binary(Binary::Mul, k, step),
            None => k,
        };
        let distance = self.cast(leaf, distance);
        if !each.range.reversed {
            return self.binary(Binary::Add, start, distance);
        }
        let last = if each.range.inclusive {
            end
        } else {
            let one = self.int(leaf, 1);
            self.binary(Binary::Sub, end, one)
        };
        self.binary(Binary::Sub, last, distance)
    }

    pub(super) fn set_flag(&mut self, key: Key, value: bool) {
        let flag = self.p.bool(value);
        self.environment.insert(key, Value::Scalar(flag));
    }
}

/// The unsigned integer of the same width.
pub(super) fn unsigned(leaf: Leaf) -> Leaf {
    match leaf {
        Leaf::I8 => Leaf::U8,
        Leaf::I16 => Leaf::U16,
        Leaf::I32 => Leaf::U32,
        Leaf::I64 => Leaf::U64,
        other => other,
    }
}
