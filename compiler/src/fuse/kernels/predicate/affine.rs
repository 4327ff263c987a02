//! Indices that are affine in the counter of a loop.

use super::{Counted, Predication};
use crate::plan::{Op, Value};
use crate::scalar::{Binary, Leaf};

/// The largest trip count, and the largest value of an index: neither wraps in 32 bits.
pub(super) const MOST: i64 = 1 << 20;

/// `base + slope * round`.
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub(super) base: i64,
    pub(super) slope: i64,
}

impl Affine {
    fn plus(self, other: Affine, factor: i64) -> Affine {
        Affine {
            base: self.base + factor * other.base,
            slope: self.slope + factor * other.slope,
        }
    }

    fn times(self, factor: i64) -> Affine {
        Affine {
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
    /// An integer as an affine function of the round, if no operation wraps.
    pub(super) fn affine(&self, value: Value, counted: &Counted<'_>) -> Option<Affine> {
        let affine = if value == counted.counter {
            Affine { base: 0, slope: 1 }
        } else {
            match self.operations.get(&value)? {
                Op::Constant(constant) => Affine {
                    base: constant.as_i64(),
                    slope: 0,
                },
                Op::Cast(_, from) => self.affine(*from, counted)?,
                Op::Binary(op, a, b) => {
                    let (a, b) = (self.affine(*a, counted)?, self.affine(*b, counted)?);
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
        let ends = [
            affine.base,
            affine.base + affine.slope * counted.last as i64,
        ];
        let fits = |end: i64| end <= MOST && end >= if leaf.is_signed() { -MOST } else { 0 };
        (is_wide(leaf) && affine.slope.abs() <= MOST && ends.into_iter().all(fits))
            .then_some(affine)
    }
}
