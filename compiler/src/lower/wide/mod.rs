//! Integers of 128 bits as pairs of halves: the operations that take a few instructions each.
//!
//! Others are written in the language, see `syntax::wide`. Halves that are known, or only repeat a sign, make each of
//! these cheaper: a product of two `u64` is two multiplications.

mod shifts;

use super::value::Value;
use super::{Lower, Lowered};
use crate::ir::{Id, Node};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use crate::typed::{Expr, Type};
use proc_macro2::Span;

/// An integer of 128 bits; `high` is an `I64` of a signed one, else a `U64`.
#[derive(Clone, Copy)]
struct Wide {
    high: Id,
    low: Id,
}

impl Wide {
    fn value<'a>(self) -> Value<'a> {
        Value::Tuple(vec![Value::Scalar(self.high), Value::Scalar(self.low)])
    }
}

impl<'a> Lower<'a> {
    fn wide(&mut self, of: &'a Expr) -> Lowered<Wide> {
        let value = match self.expr(of)? {
            // A side that never gets here: any value of the type does.
            Value::Never => self.zero_of(&of.ty, of.span)?,
            value => value,
        };
        Ok(halves(&value))
    }

    /// `!x` and its kin.
    pub(super) fn wide_unary(&mut self, op: Unary, operand: &'a Expr) -> Lowered<Value<'a>> {
        let x = self.wide(operand)?;
        Ok(match op {
            Unary::Neg => self.wide_negated(x).value(),
            Unary::Abs => {
                let negative = self.wide_is_negative(x);
                let minus = self.wide_negated(x);
                self.wide_select(negative, minus, x).value()
            }
            Unary::Not => self.by_half(x, |lower, half| lower.p.unary(op, half)),
            Unary::SwapBytes | Unary::ReverseBits => {
                let high = self.high_bits(x.high);
                let swapped = Wide {
                    high: self.like(x.high, x.low),
                    low: high,
                };
                self.by_half(swapped, |lower, half| lower.p.unary(op, half))
            }
            Unary::CountOnes => {
                let [high, low] = [x.high, x.low].map(|half| self.p.unary(op, half));
                Value::Scalar(self.binary(Binary::Add, high, low))
            }
            Unary::LeadingZeros => Value::Scalar(self.zeros(op, x.high, x.low)),
            Unary::TrailingZeros => Value::Scalar(self.zeros(op, x.low, x.high)),
            Unary::Sqrt
            | Unary::Floor
            | Unary::Ceil
            | Unary::Trunc
            | Unary::Round
            | Unary::RoundEven => unreachable!("{op:?} of an integer"),
        })
    }

    /// Zeros of the half that comes first, and of the other if it has no ones.
    fn zeros(&mut self, op: Unary, first: Id, second: Id) -> Id {
        let none = self.int(self.p.leaf(first), 0);
        let is_zero = self.binary(Binary::Eq, first, none);
        let [first, second] = [first, second].map(|half| self.p.unary(op, half));
        let bits = self.int(Leaf::U32, 64);
        let more = self.binary(Binary::Add, second, bits);
        self.select(is_zero, more, first)
    }

    /// An operator on two of them, or a shift by a `u32`.
    pub(super) fn wide_binary(
        &mut self,
        op: Binary,
        left: &'a Expr,
        right: &'a Expr,
    ) -> Lowered<Value<'a>> {
        let x = self.wide(left)?;
        if let Binary::Shl | Binary::Shr = op {
            let by = self.scalar(right)?;
            return Ok(match op {
                Binary::Shl => self.wide_shl(x, by),
                _ => self.wide_shr(x, by),
            }
            .value());
        }
        let y = self.wide(right)?;
        Ok(match op {
            Binary::Add => self.wide_sum(x, y).value(),
            Binary::Sub => self.wide_difference(x, y).value(),
            Binary::Mul => self.wide_multiplied(x, y).value(),
            Binary::And | Binary::Or | Binary::Xor => Wide {
                high: self.binary(op, x.high, y.high),
                low: self.binary(op, x.low, y.low),
            }
            .value(),
            Binary::Min | Binary::Max => {
                let (a, b) = if op == Binary::Min { (x, y) } else { (y, x) };
                let less = self.wide_is_less(Binary::Lt, a, b);
                self.wide_select(less, x, y).value()
            }
            Binary::Eq | Binary::Ne => {
                let high = self.binary(op, x.high, y.high);
                let low = self.binary(op, x.low, y.low);
                Value::Scalar(match op {
                    Binary::Eq => self.and(high, low),
                    _ => self.or(high, low),
                })
            }
            Binary::Lt | Binary::Le => Value::Scalar(self.wide_is_less(op, x, y)),
            Binary::Div | Binary::Rem => unreachable!("`check` has made a call of it"),
            Binary::Shl | Binary::Shr | Binary::Copysign | Binary::MulHigh => {
                unreachable!("{op:?} of two integers")
            }
        })
    }

    /// `as` between integers, one of which is of 128 bits.
    pub(super) fn wide_cast(&mut self, operand: &'a Expr, to: &Type) -> Lowered<Value<'a>> {
        if operand.ty.is_wide() {
            let x = self.wide(operand)?;
            return Ok(match self.leaf_of(to) {
                Some(leaf) => Value::Scalar(self.cast(leaf, x.low)),
                None => {
                    let high = self.cast(high_leaf(to), x.high);
                    Wide { high, low: x.low }.value()
                }
            });
        }
        let x = self.scalar(operand)?;
        let low = self.cast(Leaf::U64, x);
        let high = match self.p.leaf(x).is_signed() {
            true => {
                let x = self.cast(Leaf::I64, x);
                let last = self.int(Leaf::U32, 63);
                self.binary(Binary::Shr, x, last)
            }
            false => self.p.usize(0),
        };
        let high = self.cast(high_leaf(to), high);
        Ok(Wide { high, low }.value())
    }

    /// A divisor, which must not be zero; `rem`: of a remainder.
    pub(super) fn wide_divisor(&mut self, y: &Value<'a>, rem: bool, span: Span) -> Value<'a> {
        let y = halves(y);
        let high = self.high_bits(y.high);
        let some = match self.constant_of(high) {
            Some(Scalar { bits: 0, .. }) => y.low,
            // Neither is zero, whatever the other half is.
            Some(_) => high,
            None => self.binary(Binary::Or, high, y.low),
        };
        let effect = self.require_divisor(some, rem, span);
        let Some(effect) = effect else {
            return y.value();
        };
        // A half that is known stays so, but for a divisor that is known to be zero.
        let known = self.constant_of(y.high).is_some();
        let high = if known {
            y.high
        } else {
            self.under(&effect, y.high)
        };
        let low = match self.constant_of(y.low) {
            Some(_) if !known => y.low,
            _ => self.under(&effect, y.low),
        };
        Wide { high, low }.value()
    }

    fn by_half(&mut self, x: Wide, f: impl Fn(&mut Self, Id) -> Id) -> Value<'a> {
        let (high, low) = (f(self, x.high), f(self, x.low));
        Wide { high, low }.value()
    }

    /// A high half as a `U64`.
    fn high_bits(&mut self, high: Id) -> Id {
        self.cast(Leaf::U64, high)
    }

    /// A half of the type of another.
    fn like(&mut self, other: Id, half: Id) -> Id {
        self.cast(self.p.leaf(other), half)
    }

    fn wide_select(&mut self, condition: Id, x: Wide, y: Wide) -> Wide {
        Wide {
            high: self.select(condition, x.high, y.high),
            low: self.select(condition, x.low, y.low),
        }
    }

    fn wide_is_negative(&mut self, x: Wide) -> Id {
        let zero = self.int(self.p.leaf(x.high), 0);
        self.binary(Binary::Lt, x.high, zero)
    }

    /// `x < y`, `x <= y`.
    fn wide_is_less(&mut self, op: Binary, x: Wide, y: Wide) -> Id {
        let less = self.binary(Binary::Lt, x.high, y.high);
        let equal = self.binary(Binary::Eq, x.high, y.high);
        let low = self.binary(op, x.low, y.low);
        let rest = self.and(equal, low);
        self.or(less, rest)
    }

    fn wide_sum(&mut self, x: Wide, y: Wide) -> Wide {
        let low = self.binary(Binary::Add, x.low, y.low);
        let carry = self.binary(Binary::Lt, low, x.low);
        let carry = self.cast(Leaf::U64, carry);
        let [a, b] = [x.high, y.high].map(|high| self.high_bits(high));
        let high = self.binary(Binary::Add, a, b);
        let high = self.binary(Binary::Add, high, carry);
        let high = self.like(x.high, high);
        Wide { high, low }
    }

    fn wide_difference(&mut self, x: Wide, y: Wide) -> Wide {
        let low = self.binary(Binary::Sub, x.low, y.low);
        let borrow = self.binary(Binary::Lt, x.low, y.low);
        let borrow = self.cast(Leaf::U64, borrow);
        let [a, b] = [x.high, y.high].map(|high| self.high_bits(high));
        let high = self.binary(Binary::Sub, a, b);
        let high = self.binary(Binary::Sub, high, borrow);
        let high = self.like(x.high, high);
        Wide { high, low }
    }

    fn wide_negated(&mut self, x: Wide) -> Wide {
        let low = self.p.usize(0);
        let high = self.like(x.high, low);
        self.wide_difference(Wide { high, low }, x)
    }

    /// The low half of a product of four halves: three products, one of them in full.
    fn wide_multiplied(&mut self, x: Wide, y: Wide) -> Wide {
        let low = self.binary(Binary::Mul, x.low, y.low);
        if let (Some(a), Some(b)) = (self.extended(x), self.extended(y)) {
            let high = self.binary(Binary::MulHigh, a, b);
            let high = self.like(x.high, high);
            return Wide { high, low };
        }
        let high = self.binary(Binary::MulHigh, x.low, y.low);
        let [a, b] = [x.high, y.high].map(|high| self.high_bits(high));
        let first = self.binary(Binary::Mul, a, y.low);
        let second = self.binary(Binary::Mul, x.low, b);
        let high = self.binary(Binary::Add, high, first);
        let high = self.binary(Binary::Add, high, second);
        let high = self.like(x.high, high);
        Wide { high, low }
    }

    /// The `I64` whose sign is all of the high half.
    fn extended(&mut self, x: Wide) -> Option<Id> {
        let uncast = |lower: &Self, id: Id| match lower.p.node(id) {
            Node::Cast(Leaf::U64 | Leaf::I64, inner) if lower.p.leaf(*inner).bits() == 64 => *inner,
            _ => id,
        };
        if let (Some(high), Some(low)) = (self.constant_of(x.high), self.constant_of(x.low)) {
            let low = low.bits as i64;
            let own = high.bits as i64 == low >> 63 && self.p.leaf(x.high).is_signed();
            return own.then(|| self.int(Leaf::I64, low.into()));
        }
        let Node::Binary(Binary::Shr, from, by) = *self.p.node(uncast(self, x.high)) else {
            return None;
        };
        let signed = self.p.leaf(from) == Leaf::I64;
        let last = self.constant_of(by).is_some_and(|by| by.bits == 63);
        let low = self.cast(Leaf::U64, from);
        let same = low == x.low || uncast(self, from) == uncast(self, x.low);
        (signed && last && same).then_some(from)
    }
}

fn halves(value: &Value<'_>) -> Wide {
    match value {
        Value::Tuple(halves) => match &halves[..] {
            [Value::Scalar(high), Value::Scalar(low)] => Wide {
                high: *high,
                low: *low,
            },
            _ => panic!("two halves were expected"),
        },
        _ => panic!("an integer of 128 bits was expected"),
    }
}

fn high_leaf(ty: &Type) -> Leaf {
    match ty {
        Type::I128 => Leaf::I64,
        _ => Leaf::U64,
    }
}
