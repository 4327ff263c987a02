//! Methods of integers that wrap or cannot overflow, and powers.

use crate::ir::{Id, Node, Type};
use crate::lower::Lower;
use crate::lower::loops::unsigned;
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use proc_macro2::Span;

impl Lower<'_> {
    pub(super) fn integer_method(&mut self, name: &str, ids: &[Id], span: Span) -> Option<Id> {
        let x = ids[0];
        let leaf = self.p.leaf(x);
        if leaf == Leaf::Bool {
            return match (name, &ids[1..]) {
                ("clamp", &[low, high]) => Some(self.clamp(x, low, high, span)),
                _ => None,
            };
        }
        let (zero, one) = (self.int(leaf, 0), self.int(leaf, 1));
        let bits = self.int(Leaf::U32, i128::from(leaf.bits()));
        Some(match (name, &ids[1..]) {
            ("signum", []) => {
                let minus = self.int(leaf, -1);
                let negative = self.p.binary(Binary::Lt, x, zero);
                let positive = self.p.binary(Binary::Lt, zero, x);
                let rest = self.select(negative, minus, zero);
                self.select(positive, one, rest)
            }
            ("is_positive", []) => self.p.binary(Binary::Lt, zero, x),
            ("is_negative", []) => self.p.binary(Binary::Lt, x, zero),
            ("clamp", &[low, high]) => self.clamp(x, low, high, span),
            ("abs_diff", &[y]) => {
                let to = unsigned(leaf);
                let less = self.p.binary(Binary::Lt, x, y);
                let (a, b) = (
                    self.p.binary(Binary::Sub, y, x),
                    self.p.binary(Binary::Sub, x, y),
                );
                let (a, b) = (self.cast(to, a), self.cast(to, b));
                self.select(less, a, b)
            }
            ("unsigned_abs", []) => {
                let size = self.p.unary(Unary::Abs, x);
                self.cast(unsigned(leaf), size)
            }
            ("rem_euclid" | "wrapping_rem_euclid", &[y]) => {
                let rest = self.arithmetic(Binary::Rem, x, y, span);
                if !leaf.is_signed() {
                    return Some(rest);
                }
                let size = self.p.unary(Unary::Abs, y);
                let up = self.p.binary(Binary::Add, rest, size);
                let negative = self.p.binary(Binary::Lt, rest, zero);
                self.select(negative, up, rest)
            }
            ("div_euclid" | "wrapping_div_euclid", &[y]) => {
                let effect = self.require_divisor(y, false, span);
                let quotient = self.p.binary(Binary::Div, x, y);
                let value = if leaf.is_signed() {
                    let rest = self.p.binary(Binary::Rem, x, y);
                    self.euclidean(quotient, rest, y, zero, one)
                } else {
                    quotient
                };
                self.guarded_extent_or(value, effect)
            }
            ("div_ceil", &[y]) => {
                let effect = self.require_divisor(y, false, span);
                let quotient = self.p.binary(Binary::Div, x, y);
                let rest = self.p.binary(Binary::Rem, x, y);
                let exact = self.p.binary(Binary::Eq, rest, zero);
                let up = self.p.binary(Binary::Add, quotient, one);
                let value = self.select(exact, quotient, up);
                self.guarded_extent_or(value, effect)
            }
            ("count_zeros", []) => {
                let ones = self.p.unary(Unary::CountOnes, x);
                self.p.binary(Binary::Sub, bits, ones)
            }
            ("leading_ones", []) => {
                let not = self.p.unary(Unary::Not, x);
                self.p.unary(Unary::LeadingZeros, not)
            }
            ("trailing_ones", []) => {
                let not = self.p.unary(Unary::Not, x);
                self.p.unary(Unary::TrailingZeros, not)
            }
            ("is_power_of_two", []) => {
                let ones = self.p.unary(Unary::CountOnes, x);
                let one = self.int(Leaf::U32, 1);
                self.p.binary(Binary::Eq, ones, one)
            }
            ("next_power_of_two", []) => {
                // 1 << (bits - leading zeros of x - 1), which is 1 for 0 and 1, and wraps to 0 above the top.
                let less = self.p.binary(Binary::Sub, x, one);
                let zeros = self.p.unary(Unary::LeadingZeros, less);
                let shift = self.p.binary(Binary::Sub, bits, zeros);
                let shifted = self.p.binary(Binary::Shl, one, shift);
                let none = self.int(Leaf::U32, 0);
                let wraps = self.p.binary(Binary::Eq, zeros, none);
                let shifted = self.select(wraps, zero, shifted);
                let small = self.p.binary(Binary::Le, x, one);
                self.select(small, one, shifted)
            }
            ("rotate_left" | "rotate_right", &[n]) => {
                let to = unsigned(leaf);
                let plain = self.cast(to, x);
                let back = self.p.binary(Binary::Sub, bits, n);
                let (left, right) = if name == "rotate_left" {
                    (n, back)
                } else {
                    (back, n)
                };
                let high = self.p.binary(Binary::Shl, plain, left);
                let low = self.p.binary(Binary::Shr, plain, right);
                let both = self.p.binary(Binary::Or, high, low);
                self.cast(leaf, both)
            }
            ("ilog2", []) => {
                let positive = self.p.binary(Binary::Lt, zero, x);
                let zeros = self.p.unary(Unary::LeadingZeros, x);
                let last = self.int(Leaf::U32, i128::from(leaf.bits()) - 1);
                let value = self.p.binary(Binary::Sub, last, zeros);
                let message = "`ilog2` of a number that is not positive";
                self.require_assertion(positive, message, span, value)
            }
            ("pow" | "wrapping_pow", &[n]) => self.power(x, n),
            ("wrapping_add", &[y]) => self.p.binary(Binary::Add, x, y),
            ("wrapping_sub", &[y]) => self.p.binary(Binary::Sub, x, y),
            ("wrapping_mul", &[y]) => self.p.binary(Binary::Mul, x, y),
            ("wrapping_div", &[y]) => self.arithmetic(Binary::Div, x, y, span),
            ("wrapping_rem", &[y]) => self.arithmetic(Binary::Rem, x, y, span),
            // The result is cast to the other sign.
            ("cast_signed" | "cast_unsigned", []) => x,
            ("wrapping_add_signed" | "wrapping_add_unsigned", &[y]) => {
                let y = self.cast(leaf, y);
                self.p.binary(Binary::Add, x, y)
            }
            ("wrapping_sub_signed" | "wrapping_sub_unsigned", &[y]) => {
                let y = self.cast(leaf, y);
                self.p.binary(Binary::Sub, x, y)
            }
            ("wrapping_neg", []) => self.p.unary(Unary::Neg, x),
            ("wrapping_abs", []) => self.p.unary(Unary::Abs, x),
            ("wrapping_shl", &[n]) => self.p.binary(Binary::Shl, x, n),
            ("wrapping_shr", &[n]) => self.p.binary(Binary::Shr, x, n),
            _ => return None,
        })
    }

    /// The quotient corrected where the remainder is negative.
    pub(super) fn euclidean(&mut self, quotient: Id, rest: Id, y: Id, zero: Id, one: Id) -> Id {
        let negative = self.p.binary(Binary::Lt, rest, zero);
        let positive = self.p.binary(Binary::Lt, zero, y);
        let down = self.p.binary(Binary::Sub, quotient, one);
        let up = self.p.binary(Binary::Add, quotient, one);
        let corrected = self.select(positive, down, up);
        self.select(negative, corrected, quotient)
    }

    /// Rust's `clamp`: NaN stays, and the bounds must be in order.
    pub(super) fn clamp(&mut self, x: Id, low: Id, high: Id, span: Span) -> Id {
        let ordered = self.binary(Binary::Le, low, high);
        let below = self.p.binary(Binary::Lt, x, low);
        let above = self.p.binary(Binary::Lt, high, x);
        let rest = self.select(below, low, x);
        let value = self.select(above, high, rest);
        self.require_assertion(ordered, "`clamp` with bounds out of order", span, value)
    }

    /// `x.powi(n)` by squaring; a negative exponent gives the reciprocal.
    pub(super) fn powi(&mut self, x: Id, n: Id) -> Id {
        let leaf = self.p.leaf(x);
        let one = self.number(leaf, 1.0);
        let zero = self.int(Leaf::I32, 0);
        let size = self.p.unary(Unary::Abs, n);
        let size = match self.constant_of(n) {
            Some(n) => self.int(Leaf::U32, i128::from((n.bits as u32 as i32).unsigned_abs())),
            None => self.cast(Leaf::U32, size),
        };
        let power = self.power(x, size);
        let negative = self.binary(Binary::Lt, n, zero);
        if self.known(negative) == Some(false) {
            return power;
        }
        let inverse = self.p.binary(Binary::Div, one, power);
        self.select(negative, inverse, power)
    }

    /// `x` to an exponent of type `u32`, by squaring; unrolled where the exponent is a constant.
    pub(super) fn power(&mut self, x: Id, n: Id) -> Id {
        let leaf = self.p.leaf(x);
        let one = self.number(leaf, 1.0);
        if let Some(Scalar { bits: mut n, .. }) = self.constant_of(n) {
            let (mut result, mut base) = (None, x);
            while n != 0 {
                if n & 1 == 1 {
                    result = Some(match result {
                        Some(result) => self.p.binary(Binary::Mul, result, base),
                        None => base,
                    });
                }
                n >>= 1;
                if n != 0 {
                    base = self.p.binary(Binary::Mul, base, base);
                }
            }
            return result.unwrap_or(one);
        }
        let types = [leaf, leaf, Leaf::U32];
        let state: Vec<_> = types
            .iter()
            .map(|&leaf| self.p.var(Type::Scalar(leaf)))
            .collect();
        let reads: Vec<Id> = state
            .iter()
            .map(|&var| self.p.add(Node::Variable(var)))
            .collect();
        let (none, bit) = (self.int(Leaf::U32, 0), self.int(Leaf::U32, 1));
        let condition = self.p.binary(Binary::Ne, reads[2], none);
        let odd = self.p.binary(Binary::And, reads[2], bit);
        let odd = self.p.binary(Binary::Ne, odd, none);
        let more = self.p.binary(Binary::Mul, reads[0], reads[1]);
        let next = vec![
            self.select(odd, more, reads[0]),
            self.p.binary(Binary::Mul, reads[1], reads[1]),
            self.p.binary(Binary::Shr, reads[2], bit),
        ];
        let bundle = self.p.add(Node::Loop {
            state,
            initial: vec![one, x, n],
            condition,
            next,
        });
        self.p.add(Node::Project(bundle, 0))
    }
}
