//! `while`, `loop` and `for`, in terms of rounds; `state` makes the node.

use super::value::{Key, Value};
use super::walk::{has_effects, written};
use super::{Lower, Lowered};
use crate::ir::Id;
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedMap;
use crate::typed::{Expr, For, Label};

impl<'a> Lower<'a> {
    /// `while condition { body }`.
    pub(super) fn while_loop(
        &mut self,
        label: Label,
        condition: &'a Expr,
        body: &'a Expr,
    ) -> Lowered<()> {
        let plain = !has_effects(condition);
        let mut writes = SortedMap::new();
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
        let mut values = Vec::new();
        let steps = each.range.steps.iter().map(|step| &step.by);
        for part in [&each.range.start, &each.range.end]
            .into_iter()
            .chain(steps)
        {
            let lowered = self.expr(part)?;
            if let Value::Never = lowered {
                return Ok(());
            }
            values.push(lowered.scalar());
        }
        let (start, end) = (values[0], values[1]);
        let steps = &values[2..];
        let leaf = self.p.leaf(start);
        for (&value, step) in steps.iter().zip(&each.range.steps) {
            let zero = self.p.usize(0);
            let condition = self.binary(Binary::Lt, zero, value);
            self.assert(condition, "`step_by` of 0", step.by.span);
        }
        if let Some(items) = self.unrolled(each, start, end, steps) {
            for item in items {
                let item = self.p.constant(item);
                self.bind(&each.pattern, Value::Scalar(item));
                let value = self.expr(&each.body)?;
                self.evaluated(&value);
            }
            return Ok(());
        }
        let mut writes = SortedMap::new();
        written(&each.body, &mut writes);
        let counter = Key::counter(each.label);
        writes.insert(counter, None);
        let simple = !each.range.inclusive && !each.range.reversed && steps.is_empty();
        let lasts = match simple {
            true => Vec::new(),
            false => self.lasts(start, end, each.range.inclusive, steps),
        };
        let (first, count) = match lasts.last() {
            None => (start, end),
            Some(&last) => {
                let count = self.round_count(start, end, each.range.inclusive, last);
                (self.p.usize(0), count)
            }
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
                let item = match simple {
                    true => k,
                    false => {
                        let mut at = k;
                        for (position, step) in each.range.steps.iter().enumerate().rev() {
                            if step.backwards {
                                at = lower.binary(Binary::Sub, lasts[position + 1], at);
                            }
                            at = lower.binary(Binary::Mul, at, steps[position]);
                        }
                        lower.item(at, start, end, leaf, each)
                    }
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

    /// The position of the last item (`U64`) of a range that is not empty, and after each of its steps.
    fn lasts(&mut self, start: Id, end: Id, inclusive: bool, steps: &[Id]) -> Vec<Id> {
        let leaf = self.p.leaf(start);
        let length = self.binary(Binary::Sub, end, start);
        let length = self.cast(unsigned(leaf), length);
        let length = self.cast(Leaf::U64, length);
        let one = self.p.usize(1);
        let mut last = match inclusive {
            true => length,
            false => self.binary(Binary::Sub, length, one),
        };
        let mut lasts = vec![last];
        for &step in steps {
            // At least 1, so that the host may compute it before the check of the step.
            let step = self.p.binary(Binary::Max, step, one);
            last = self.binary(Binary::Div, last, step);
            lasts.push(last);
        }
        lasts
    }

    /// How many rounds a `for` makes (`U64`). A range over all of `u64`, both ends included, makes none.
    fn round_count(&mut self, start: Id, end: Id, inclusive: bool, last: Id) -> Id {
        let op = if inclusive { Binary::Le } else { Binary::Lt };
        let some = self.binary(op, start, end);
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let count = self.binary(Binary::Add, last, one);
        self.select(some, count, zero)
    }

    /// The item of a range at a position.
    fn item(&mut self, position: Id, start: Id, end: Id, leaf: Leaf, each: &For) -> Id {
        let distance = self.cast(leaf, position);
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
