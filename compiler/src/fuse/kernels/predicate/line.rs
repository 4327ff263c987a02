//! Indices that count with the rounds of a loop.

use super::{Counted, Predication};
use crate::plan::{Op, Value};
use crate::scalar::{Binary, Leaf};

/// The most rounds of a loop, and what an index that counts with them may come to: nothing of it wraps in 32 bits.
pub(super) const MOST: i64 = 1 << 20;

/// `base + slope * round`.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) base: i64,
    pub(super) slope: i64,
}

impl Line {
    fn plus(self, other: Line, factor: i64) -> Line {
        Line {
            base: self.base + factor * other.base,
            slope: self.slope + factor * other.slope,
        }
    }

    fn times(self, factor: i64) -> Line {
        Line {
            base: self.base * factor,
            slope: self.slope * factor,
        }
    }
}

/// Whether an integer type has all numbers up to [`MOST`].
pub(super) fn is_wide(leaf: Leaf) -> bool {
    leaf.is_integer() && leaf.bytes() >= 4
}

impl Predication<'_> {
    /// An integer as a line over the rounds, if nothing wraps on the way.
    pub(super) fn line(&self, value: Value, counted: &Counted<'_>) -> Option<Line> {
        let line = if value == counted.counter {
            Line { base: 0, slope: 1 }
        } else {
            match self.operations.get(&value)? {
                Op::Constant(constant) => Line {
                    base: constant.as_i64(),
                    slope: 0,
                },
                Op::Cast(_, from) => self.line(*from, counted)?,
                Op::Binary(op, a, b) => {
                    let (a, b) = (self.line(*a, counted)?, self.line(*b, counted)?);
                    match op {
                        Binary::Add => a.plus(b, 1),
                        Binary::Sub => a.plus(b, -1),
                        Binary::Mul if a.slope == 0 => b.times(a.base),
                        Binary::Mul if b.slope == 0 => a.times(b.base),
                        _ => return None,
                    }
                }
                _ => return None,
            }
        };
        let leaf = self.values.leaf(value);
        let ends = [line.base, line.base + line.slope * counted.last as i64];
        let fits = |end: i64| end <= MOST && end >= if leaf.is_signed() { -MOST } else { 0 };
        (is_wide(leaf) && line.slope.abs() <= MOST && ends.into_iter().all(fits)).then_some(line)
    }
}
