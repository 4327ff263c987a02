//! Methods of floats.

use crate::ir::{Id, Node};
use crate::lower::Lower;
use crate::scalar::{Binary, Leaf, Math, Unary};
use proc_macro2::Span;

impl Lower<'_> {
    pub(super) fn float_method(&mut self, name: &str, ids: &[Id], span: Span) -> Option<Id> {
        let x = ids[0];
        let leaf = self.p.leaf(x);
        let (zero, one) = (self.number(leaf, 0.0), self.number(leaf, 1.0));
        Some(match (name, &ids[1..]) {
            ("recip", []) => self.p.binary(Binary::Div, one, x),
            ("fract", []) => {
                let whole = self.p.unary(Unary::Trunc, x);
                self.p.binary(Binary::Sub, x, whole)
            }
            ("signum", []) => {
                let sign = self.p.binary(Binary::Copysign, one, x);
                let nan = self.p.binary(Binary::Ne, x, x);
                self.select(nan, x, sign)
            }
            ("clamp", &[low, high]) => self.clamp(x, low, high, span),
            ("is_nan", []) => self.p.binary(Binary::Ne, x, x),
            ("is_finite" | "is_infinite", []) => {
                let size = self.p.unary(Unary::Abs, x);
                let infinity = self.number(leaf, f64::INFINITY);
                let op = if name == "is_finite" {
                    Binary::Lt
                } else {
                    Binary::Eq
                };
                self.p.binary(op, size, infinity)
            }
            ("is_sign_negative" | "is_sign_positive", []) => {
                let integer = if leaf == Leaf::F32 {
                    Leaf::I32
                } else {
                    Leaf::I64
                };
                let bits = self.p.add(Node::Bitcast(integer, x));
                let zero = self.int(integer, 0);
                let negative = self.p.binary(Binary::Lt, bits, zero);
                if name == "is_sign_negative" {
                    negative
                } else {
                    self.not(negative)
                }
            }
            ("powi", &[n]) => self.powi(x, n),
            ("log", &[base]) => {
                let (x, base) = (self.math(Math::Ln, &[x]), self.math(Math::Ln, &[base]));
                self.p.binary(Binary::Div, x, base)
            }
            ("sigmoid", []) => {
                let minus = self.p.unary(Unary::Neg, x);
                let exp = self.math(Math::Exp, &[minus]);
                let sum = self.p.binary(Binary::Add, one, exp);
                self.p.binary(Binary::Div, one, sum)
            }
            ("to_degrees", []) => {
                let factor = match leaf {
                    Leaf::F32 => self.number(leaf, 57.295_779_513_082_32),
                    _ => self.number(leaf, 180.0f64 / std::f64::consts::PI),
                };
                self.p.binary(Binary::Mul, x, factor)
            }
            ("to_radians", []) => {
                let factor = match leaf {
                    Leaf::F32 => self.number(leaf, f64::from(std::f32::consts::PI / 180.0)),
                    _ => self.number(leaf, std::f64::consts::PI / 180.0),
                };
                self.p.binary(Binary::Mul, x, factor)
            }
            ("rem_euclid", &[y]) => {
                let rest = self.p.binary(Binary::Rem, x, y);
                let size = self.p.unary(Unary::Abs, y);
                let up = self.p.binary(Binary::Add, rest, size);
                let negative = self.p.binary(Binary::Lt, rest, zero);
                self.select(negative, up, rest)
            }
            ("div_euclid", &[y]) => {
                let quotient = self.p.binary(Binary::Div, x, y);
                let quotient = self.p.unary(Unary::Trunc, quotient);
                let rest = self.p.binary(Binary::Rem, x, y);
                self.euclidean(quotient, rest, y, zero, one)
            }
            ("abs_sub", &[y]) => {
                let difference = self.p.binary(Binary::Sub, x, y);
                self.p.binary(Binary::Max, difference, zero)
            }
            _ => return None,
        })
    }
}
