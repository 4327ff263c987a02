//! `checked_`, `saturating_`, `overflowing_` and `strict_` methods of integers.

use crate::ir::Id;
use crate::lower::Lower;
use crate::lower::value::Value;
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// See above; `None` if it is another method.
    pub(super) fn overflow_method(
        &mut self,
        name: &str,
        ids: &[Id],
        span: Span,
    ) -> Option<Value<'a>> {
        let (kind, operation) = name.split_once('_')?;
        if !matches!(kind, "checked" | "saturating" | "overflowing" | "strict") {
            return None;
        }
        let x = ids[0];
        let leaf = self.p.leaf(x);
        if !leaf.is_integer() {
            return None;
        }
        let zero = self.int(leaf, 0);
        let low = if leaf.is_signed() {
            -(1i128 << (leaf.bits() - 1))
        } else {
            0
        };
        let high = if leaf.is_signed() {
            -low - 1
        } else {
            (1i128 << leaf.bits()) - 1
        };
        let least = self.int(leaf, low);
        let (value, bad, limit_is_low) = match (operation, &ids[1..]) {
            ("add", &[y]) => {
                let sum = self.p.binary(Binary::Add, x, y);
                let bad = if leaf.is_signed() {
                    self.sign_differs(sum, x, sum, y)
                } else {
                    self.p.binary(Binary::Lt, sum, x)
                };
                (sum, bad, self.negative_or_false(x))
            }
            ("sub", &[y]) => {
                let difference = self.p.binary(Binary::Sub, x, y);
                let bad = if leaf.is_signed() {
                    self.sign_differs(x, y, x, difference)
                } else {
                    self.p.binary(Binary::Lt, x, y)
                };
                let low = if leaf.is_signed() {
                    self.negative_or_false(x)
                } else {
                    self.p.bool(true)
                };
                (difference, bad, low)
            }
            ("mul", &[y]) => {
                let product = self.p.binary(Binary::Mul, x, y);
                let signs = self.p.binary(Binary::Xor, x, y);
                (
                    product,
                    self.product_overflows(x, y, product),
                    self.negative_or_false(signs),
                )
            }
            ("add_signed" | "add_unsigned" | "sub_signed" | "sub_unsigned", &[y]) => {
                let up = self.negative_or_false(y);
                let up = match operation.starts_with("add") {
                    true => self.not(up),
                    false => up,
                };
                let y = self.cast(leaf, y);
                let op = match operation.starts_with("add") {
                    true => Binary::Add,
                    false => Binary::Sub,
                };
                // Up, what has wrapped is less, and down it is more.
                let value = self.p.binary(op, x, y);
                let less = self.p.binary(Binary::Lt, value, x);
                let more = self.p.binary(Binary::Lt, x, value);
                (value, self.select(up, less, more), self.not(up))
            }
            ("div" | "rem" | "div_euclid" | "rem_euclid", &[y]) => {
                if kind == "checked" {
                    return Some(self.checked_division(operation, x, y, least));
                }
                let bad = self.division_overflows(x, y, least);
                let value = self
                    .integer_method(operation, ids, span)
                    .unwrap_or_else(|| {
                        let op = if operation == "div" {
                            Binary::Div
                        } else {
                            Binary::Rem
                        };
                        self.arithmetic(op, x, y, span)
                    });
                (value, bad, self.p.bool(false))
            }
            ("neg", []) => {
                let value = self.p.unary(Unary::Neg, x);
                let bad = if leaf.is_signed() {
                    self.p.binary(Binary::Eq, x, least)
                } else {
                    self.p.binary(Binary::Ne, x, zero)
                };
                (value, bad, self.p.bool(!leaf.is_signed()))
            }
            ("abs", []) => {
                let value = self.p.unary(Unary::Abs, x);
                (
                    value,
                    self.p.binary(Binary::Eq, x, least),
                    self.p.bool(false),
                )
            }
            ("shl" | "shr", &[n]) => {
                let op = if operation == "shl" {
                    Binary::Shl
                } else {
                    Binary::Shr
                };
                let value = self.p.binary(op, x, n);
                let bits = self.int(Leaf::U32, i128::from(leaf.bits()));
                let fine = self.p.binary(Binary::Lt, n, bits);
                (value, self.not(fine), self.p.bool(false))
            }
            _ => return None,
        };
        Some(match kind {
            "checked" => self.some_unless(bad, value),
            "strict" => {
                let fine = self.not(bad);
                let message = format!("`{name}` overflows");
                Value::Scalar(self.require_assertion(fine, &message, span, value))
            }
            "overflowing" => Value::Tuple(vec![Value::Scalar(value), Value::Scalar(bad)]),
            _ => {
                let greatest = self.int(leaf, high);
                let limit = self.select(limit_is_low, least, greatest);
                Value::Scalar(self.select(bad, limit, value))
            }
        })
    }

    pub(super) fn some_unless(&mut self, bad: Id, value: Id) -> Value<'a> {
        let zero = self.p.constant(Scalar {
            leaf: self.p.leaf(value),
            bits: 0,
        });
        Value::Option {
            some: self.not(bad),
            payload: Box::new(Value::Scalar(self.select(bad, zero, value))),
        }
    }

    /// Whether `a ^ b` and `c ^ d` are both negative: how signed sums and differences overflow.
    pub(super) fn sign_differs(&mut self, a: Id, b: Id, c: Id, d: Id) -> Id {
        let one = self.p.binary(Binary::Xor, a, b);
        let other = self.p.binary(Binary::Xor, c, d);
        let both = self.p.binary(Binary::And, one, other);
        self.negative_or_false(both)
    }

    pub(super) fn negative_or_false(&mut self, x: Id) -> Id {
        let leaf = self.p.leaf(x);
        if !leaf.is_signed() {
            return self.p.bool(false);
        }
        let zero = self.int(leaf, 0);
        self.p.binary(Binary::Lt, x, zero)
    }

    pub(super) fn product_overflows(&mut self, x: Id, y: Id, product: Id) -> Id {
        let leaf = self.p.leaf(x);
        if leaf.bits() < 64 {
            let wide = if leaf.is_signed() {
                Leaf::I64
            } else {
                Leaf::U64
            };
            let (x, y) = (self.cast(wide, x), self.cast(wide, y));
            let full = self.p.binary(Binary::Mul, x, y);
            let back = self.cast(wide, product);
            return self.p.binary(Binary::Ne, full, back);
        }
        let high = self.p.binary(Binary::MulHigh, x, y);
        let wanted = if leaf.is_signed() {
            let shift = self.int(Leaf::U32, 63);
            self.p.binary(Binary::Shr, product, shift)
        } else {
            self.int(leaf, 0)
        };
        self.p.binary(Binary::Ne, high, wanted)
    }

    pub(super) fn division_overflows(&mut self, x: Id, y: Id, least: Id) -> Id {
        let leaf = self.p.leaf(x);
        if !leaf.is_signed() {
            return self.p.bool(false);
        }
        let minus = self.int(leaf, -1);
        let at_least = self.p.binary(Binary::Eq, x, least);
        let by_minus = self.p.binary(Binary::Eq, y, minus);
        self.and(at_least, by_minus)
    }

    /// `None` for a divisor of zero and for `MIN / -1`.
    pub(super) fn checked_division(
        &mut self,
        operation: &str,
        x: Id,
        y: Id,
        least: Id,
    ) -> Value<'a> {
        let leaf = self.p.leaf(x);
        let (zero, one) = (self.int(leaf, 0), self.int(leaf, 1));
        let none = self.p.binary(Binary::Eq, y, zero);
        let overflows = self.division_overflows(x, y, least);
        let bad = self.or(none, overflows);
        // Never zero, so no guard is needed; nothing proves it to `require_divisor`.
        let divisor = self.select(bad, one, y);
        let quotient = self.p.binary(Binary::Div, x, divisor);
        let rest = self.p.binary(Binary::Rem, x, divisor);
        let value = match operation {
            "div" => quotient,
            "rem" => rest,
            "div_euclid" if leaf.is_signed() => self.euclidean(quotient, rest, divisor, zero, one),
            "div_euclid" => quotient,
            _ if leaf.is_signed() => {
                let size = self.p.unary(Unary::Abs, divisor);
                let up = self.p.binary(Binary::Add, rest, size);
                let negative = self.p.binary(Binary::Lt, rest, zero);
                self.select(negative, up, rest)
            }
            _ => rest,
        };
        self.some_unless(bad, value)
    }
}
