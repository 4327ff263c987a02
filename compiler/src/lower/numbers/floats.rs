//! Methods of floats.

use crate::ir::{Id, Node};
use crate::lower::Lower;
use crate::scalar::{Binary, Leaf, Math, Unary};
use proc_macro2::Span;

impl Lower<'_> {
    pub(super) fn float_method(&mut self, name: &str, ids: &[Id], span: Span) -> Option<Id> {
        let x = ids[0];
        let leaf = self.p.leaf(x);
        // A method that is made of several operations is one, and rounded once; these are exact.
        let exact = matches!(
            name,
            "signum"
                | "clamp"
                | "is_nan"
                | "is_finite"
                | "is_infinite"
                | "is_sign_negative"
                | "is_sign_positive"
        );
        if leaf.is_half() && !exact {
            let wide: Vec<Id> = (ids.iter())
                .map(|&id| match self.p.leaf(id).is_float() {
                    true => self.cast(Leaf::F32, id),
                    false => id,
                })
                .collect();
            let result = self.float_method(name, &wide, span)?;
            return Some(self.cast(leaf, result));
        }
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
                let integer = match leaf.bits() {
                    16 => Leaf::I16,
                    32 => Leaf::I32,
                    _ => Leaf::I64,
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
            ("midpoint", &[y]) if leaf == Leaf::F32 => {
                let (x, y) = (self.cast(Leaf::F64, x), self.cast(Leaf::F64, y));
                let half = self.half_sum(x, y);
                self.cast(leaf, half)
            }
            ("midpoint", &[y]) => {
                // Of large ones the halves are added, of which a tiny one would lose bits.
                let (large, tiny) = (f64::MAX / 2.0, f64::MIN_POSITIVE * 2.0);
                let (large, tiny) = (self.number(leaf, large), self.number(leaf, tiny));
                let half = self.number(leaf, 0.5);
                let sizes = [x, y].map(|id| self.p.unary(Unary::Abs, id));
                let [x_fits, y_fits] = sizes.map(|id| self.p.binary(Binary::Le, id, large));
                let [x_tiny, y_tiny] = sizes.map(|id| self.p.binary(Binary::Lt, id, tiny));
                let [x_half, y_half] = [x, y].map(|id| self.p.binary(Binary::Mul, id, half));
                let x_half = self.select(x_tiny, x, x_half);
                let y_half = self.select(y_tiny, y, y_half);
                let halves = self.p.binary(Binary::Add, x_half, y_half);
                let sum = self.half_sum(x, y);
                let fit = self.and(x_fits, y_fits);
                self.select(fit, sum, halves)
            }
            _ => return None,
        })
    }

    fn half_sum(&mut self, x: Id, y: Id) -> Id {
        let sum = self.p.binary(Binary::Add, x, y);
        let half = self.number(self.p.leaf(sum), 0.5);
        self.p.binary(Binary::Mul, sum, half)
    }
}
