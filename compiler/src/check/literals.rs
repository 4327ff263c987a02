//! Literals: parsed when met, given a type at the end, when it is known.
//!
//! Until then the tree holds a constant whose type is a variable and whose bits are a position in this table.

use super::infer::{Kind, bits, leaf};
use super::{Checker, expr};
use crate::scalar::{Leaf, Scalar, Unary};
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

/// A literal, or the value of a constant in a pattern.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) value: Value,
    pub(super) ty: Type,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Integer {
        magnitude: u128,
        negative: bool,
    },
    Float {
        digits: String,
        negative: bool,
    },
    Known(Scalar),
    /// The bits of an integer of 128 bits.
    Wide(u128),
}

impl Checker<'_> {
    pub(super) fn literal_expr(&mut self, lit: &syn::Lit) -> Expr {
        let span = lit.span();
        if let syn::Lit::Bool(lit) = lit {
            let value = Scalar {
                leaf: Leaf::Bool,
                bits: u64::from(lit.value),
            };
            return expr(ExprKind::Constant(value), Type::Leaf(Leaf::Bool), span);
        }
        if let syn::Lit::Char(lit) = lit {
            let value = Scalar {
                leaf: Leaf::U32,
                bits: u64::from(u32::from(lit.value())),
            };
            return expr(ExprKind::Constant(value), Type::Char, span);
        }
        match self.literal(lit, false) {
            Some(id) => {
                let ty = self.literals[id].ty.clone();
                expr(ExprKind::Constant(placeholder(id)), ty, span)
            }
            None => self.poison(span),
        }
    }

    /// Enters a literal of a number into the table; its type there is always a variable.
    pub(super) fn literal(&mut self, lit: &syn::Lit, negative: bool) -> Option<usize> {
        let span = lit.span();
        // In patterns the minus is part of the literal.
        let split = |digits: &str| match digits.strip_prefix('-') {
            Some(digits) => (digits.to_string(), !negative),
            None => (digits.to_string(), negative),
        };
        let (value, suffix, kind) = match lit {
            syn::Lit::Int(lit) => {
                let suffix = lit.suffix().to_string();
                let (digits, negative) = split(lit.base10_digits());
                if matches!(&*suffix, "f16" | "bf16" | "f32" | "f64") {
                    (Value::Float { digits, negative }, suffix, Kind::Float)
                } else {
                    let magnitude = digits.parse().unwrap_or_else(|_| {
                        let message = format!("the literal {digits} has more than 128 bits");
                        self.error(span, message, "the largest type is `u128`");
                        0
                    });
                    let value = Value::Integer {
                        magnitude,
                        negative,
                    };
                    (value, suffix, Kind::Integer)
                }
            }
            syn::Lit::Float(lit) => {
                let (digits, negative) = split(lit.base10_digits());
                let value = Value::Float { digits, negative };
                (value, lit.suffix().to_string(), Kind::Float)
            }
            syn::Lit::Byte(lit) => {
                let magnitude = u128::from(lit.value());
                let value = Value::Integer {
                    magnitude,
                    negative,
                };
                (value, "u8".to_string(), Kind::Integer)
            }
            syn::Lit::Bool(lit) => {
                let scalar = Scalar {
                    leaf: Leaf::Bool,
                    bits: u64::from(lit.value),
                };
                return Some(self.known_literal(scalar, Type::Leaf(Leaf::Bool), span));
            }
            syn::Lit::Char(lit) => {
                let scalar = Scalar {
                    leaf: Leaf::U32,
                    bits: u64::from(u32::from(lit.value())),
                };
                return Some(self.known_literal(scalar, Type::Char, span));
            }
            syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_) => {
                self.error(
                    span,
                    "strings are not supported in `accelerate!`",
                    "a text may stand in `assert!(condition, \"text\")` only",
                );
                return None;
            }
            _ => {
                self.error(span, "this literal is not a number", "");
                return None;
            }
        };
        let ty = self.vars.fresh(kind);
        if !suffix.is_empty() {
            let fits = scalar_named(&suffix).is_some_and(|known| self.vars.unify(&ty, &known));
            if !fits {
                self.error(
                    span,
                    format!("the suffix `{suffix}` is not a type of numbers here"),
                    "the types are `i8` to `i128`, `u8` to `u128`, `isize`, `usize`, `f16`, `bf16`, `f32` and `f64`",
                );
                return None;
            }
        }
        self.literals.push(Literal { value, ty, span });
        Some(self.literals.len() - 1)
    }

    /// Enters a known value, for a pattern.
    pub(super) fn known_literal(&mut self, scalar: Scalar, ty: Type, span: Span) -> usize {
        let value = Value::Known(scalar);
        self.literals.push(Literal { value, ty, span });
        self.literals.len() - 1
    }

    /// The same of an integer of 128 bits.
    pub(super) fn known_wide(&mut self, bits: u128, ty: Type, span: Span) -> usize {
        let value = Value::Wide(bits);
        self.literals.push(Literal { value, ty, span });
        self.literals.len() - 1
    }

    /// The value of a literal, now that its type is known. `negate`: a minus stands before it.
    pub(super) fn literal_value(&mut self, id: usize, negate: bool) -> Scalar {
        let zero = Scalar {
            leaf: Leaf::I32,
            bits: 0,
        };
        let Some(literal) = self.literals.get(id).cloned() else {
            return zero;
        };
        let ty = self.vars.resolve(&literal.ty);
        let Some(leaf) = leaf(&ty) else {
            return zero;
        };
        match literal.value {
            Value::Known(scalar) => scalar,
            Value::Wide(_) => zero,
            Value::Float { digits, negative } => {
                let minus = negative != negate;
                let size = match leaf {
                    // From the decimal at once: rounding twice may give another number.
                    Leaf::F32 => digits.parse().map(|x: f32| Scalar::f32(x)),
                    leaf => digits.parse().map(|x: f64| Scalar::float(leaf, x)),
                };
                let size = size.unwrap_or_else(|_| Scalar::float(leaf, f64::INFINITY));
                if size.as_f64().is_infinite() {
                    self.too_large(&digits, &ty, literal.span);
                }
                match minus {
                    true => crate::scalar::unary(Unary::Neg, size),
                    false => size,
                }
            }
            Value::Integer {
                magnitude,
                negative,
            } => {
                let minus = negative != negate;
                let value = self.integer_bits(magnitude, minus, &ty, literal.span);
                let bits = value as u64 & mask(leaf);
                Scalar { leaf, bits }
            }
        }
    }

    /// The bits of an integer of 128 bits, now that the type is known; `None` if it is another type's.
    pub(super) fn wide_literal(&mut self, id: usize, negate: bool) -> Option<(u128, Type)> {
        let literal = self
            .literals
            .get(id)
            .filter(|_| self.cx.syntax.wide)?
            .clone();
        let ty = self.vars.resolve(&literal.ty);
        if !ty.is_wide() {
            return None;
        }
        let bits = match literal.value {
            Value::Integer {
                magnitude,
                negative,
            } => self.integer_bits(magnitude, negative != negate, &ty, literal.span),
            Value::Wide(bits) => bits,
            Value::Float { .. } | Value::Known(_) => 0,
        };
        Some((bits, ty))
    }

    /// The bits of an integer literal of a type, in two's complement; it must fit.
    fn integer_bits(&mut self, magnitude: u128, minus: bool, ty: &Type, at: Span) -> u128 {
        let (signed, bits) = (
            leaf(ty).is_some_and(Leaf::is_signed),
            bits(ty).unwrap_or(64),
        );
        let largest = match (signed, minus) {
            (true, false) => (1u128 << (bits - 1)) - 1,
            (true, true) => 1u128 << (bits - 1),
            (false, _) => u128::MAX >> (128 - bits),
        };
        if magnitude > largest {
            let text = format!("{}{magnitude}", if minus { "-" } else { "" });
            self.too_large(&text, ty, at);
        }
        if minus && !signed && magnitude > 0 {
            let shown = self.show(ty);
            self.error(
                at,
                format!("cannot negate a literal of type {shown}"),
                "unsigned numbers cannot be negative: write a signed type",
            );
        }
        match minus {
            true => magnitude.wrapping_neg(),
            false => magnitude,
        }
    }

    fn too_large(&mut self, text: &str, ty: &Type, span: Span) {
        let shown = self.show(ty);
        let help = match ty {
            Type::Leaf(Leaf::F16) => "the largest is 65504: write an `f32`".to_string(),
            Type::Leaf(Leaf::Bf16) => "the largest is about 3.4e38: write an `f64`".to_string(),
            Type::Leaf(Leaf::F32) => "the largest is about 3.4e38: write an `f64`".to_string(),
            Type::I128 => format!("its values are {} to {}", i128::MIN, i128::MAX),
            Type::U128 => format!("its values are 0 to {}", u128::MAX),
            ty => match leaf(ty).filter(|leaf| leaf.is_integer()) {
                Some(leaf) => {
                    let bits = leaf.bits();
                    let (low, high) = if leaf.is_signed() {
                        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                    } else {
                        (0, (1i128 << bits) - 1)
                    };
                    format!("its values are {low} to {high}")
                }
                None => String::new(),
            },
        };
        self.error(
            span,
            format!("the literal {text} does not fit into {shown}"),
            help,
        );
    }
}

/// The constant that stands for a literal until its type is known.
pub(super) fn placeholder(id: usize) -> Scalar {
    Scalar {
        leaf: Leaf::U64,
        bits: id as u64,
    }
}

/// The bits of a type's values.
pub(super) fn mask(leaf: Leaf) -> u64 {
    match leaf.bits() {
        64 => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// The scalar type of a name.
pub(super) fn scalar_named(name: &str) -> Option<Type> {
    match name {
        "usize" => Some(Type::Usize),
        "isize" => Some(Type::Isize),
        "i128" => Some(Type::I128),
        "u128" => Some(Type::U128),
        _ => Leaf::ALL
            .into_iter()
            .find(|leaf| leaf.name() == name)
            .map(Type::Leaf),
    }
}
