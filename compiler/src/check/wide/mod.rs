//! Integers of 128 bits, which are values of scalar code only.
//!
//! A value is a pair of halves, as [`crate::typed::Type::halves`] has it: constants and patterns are written so here, and
//! `lower` computes with pairs. What takes more than a few operations is written in the language: see `syntax::wide`.

mod constants;
mod places;
mod ranges;

use super::infer::leaf;
use super::{CallSite, Checker, expr};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::syntax::WIDE;
use crate::typed::{Expr, ExprKind, Pattern, Type};
use proc_macro2::Span;

pub(super) use constants::{fold_binary, fold_cast, fold_unary};

/// A value as an expression of the type.
pub(super) fn constant(bits: u128, ty: &Type, at: Span) -> Expr {
    let halves = halves(bits, ty);
    let halves = halves.map(|half| expr(ExprKind::Constant(half), Type::Leaf(half.leaf), at));
    expr(ExprKind::Tuple(halves.to_vec()), ty.clone(), at)
}

/// The bits of a constant of such a type.
pub(super) fn value(of: &Expr) -> Option<u128> {
    let (ExprKind::Tuple(halves), true) = (&of.kind, of.ty.is_wide()) else {
        return None;
    };
    match halves.iter().map(|half| &half.kind).collect::<Vec<_>>()[..] {
        [ExprKind::Constant(high), ExprKind::Constant(low)] => {
            Some(u128::from(high.bits) << 64 | u128::from(low.bits))
        }
        _ => None,
    }
}

/// The constants of a type, as `u128::MAX`.
pub(super) fn named(ty: &Type, name: &str, at: Span) -> Option<Expr> {
    let signed = *ty == Type::I128;
    let bits = match name {
        "BITS" => {
            let kind = ExprKind::Constant(Scalar::wrapped(Leaf::U32, 128));
            return Some(expr(kind, Type::Leaf(Leaf::U32), at));
        }
        "MAX" if signed => i128::MAX as u128,
        "MIN" if signed => i128::MIN as u128,
        "MAX" => u128::MAX,
        "MIN" => 0,
        _ => return None,
    };
    Some(constant(bits, ty, at))
}

/// A literal as a pattern.
pub(super) fn literal_pattern(bits: u128, ty: &Type) -> Pattern {
    Pattern::Tuple(halves(bits, ty).map(Pattern::Literal).to_vec())
}

fn halves(bits: u128, ty: &Type) -> [Scalar; 2] {
    let high = match ty {
        Type::I128 => Leaf::I64,
        _ => Leaf::U64,
    };
    [
        Scalar::wrapped(high, (bits >> 64) as u64),
        Scalar::wrapped(Leaf::U64, bits as u64),
    ]
}

/// The place of a value among all of its type.
fn ordinal(bits: u128, ty: &Type) -> u128 {
    match ty {
        Type::I128 => bits ^ (1 << 127),
        _ => bits,
    }
}

impl Checker<'_> {
    /// A range pattern by the placeholders of its ends: a pattern of the halves. `None` if it is another type's.
    pub(super) fn wide_range(
        &mut self,
        low: Option<Scalar>,
        high: Option<Scalar>,
    ) -> Option<Pattern> {
        let mut end = |end: Option<Scalar>| {
            let id = end?.bits as usize;
            self.wide_literal(id, false)
                .map(|(bits, ty)| (id, bits, ty))
        };
        let (low, high) = (end(low), end(high));
        let (_, _, ty) = low.as_ref().or(high.as_ref())?;
        let ty = ty.clone();
        // An ordinal and its value are each other's.
        let least = low.map_or(0, |(_, bits, _)| ordinal(bits, &ty));
        let greatest = match &high {
            None => Some(u128::MAX),
            Some((id, bits, _)) => {
                let open = self.open_ends.contains(id);
                ordinal(*bits, &ty).checked_sub(u128::from(open))
            }
        };
        let Some(greatest) = greatest.filter(|greatest| least <= *greatest) else {
            let at = high.and_then(|(id, ..)| self.literals.get(id).map(|literal| literal.span));
            self.error(
                at.unwrap_or_else(Span::call_site),
                "this range pattern is empty",
                "write the lesser end first",
            );
            return Some(Pattern::Wild);
        };
        let [[first, from], [last, to]] =
            [least, greatest].map(|end| halves(ordinal(end, &ty), &ty));
        let of_highs = |pattern, low| Pattern::Tuple(vec![pattern, low]);
        let between = |low, high| Pattern::Range(Some(low), Some(high));
        if first == last {
            return Some(of_highs(Pattern::Literal(first), between(from, to)));
        }
        let mut cases = vec![
            of_highs(Pattern::Literal(first), Pattern::Range(Some(from), None)),
            of_highs(Pattern::Literal(last), Pattern::Range(None, Some(to))),
        ];
        let next = Scalar::wrapped(first.leaf, first.bits.wrapping_add(1));
        if next != last {
            let before = Scalar::wrapped(last.leaf, last.bits.wrapping_sub(1));
            cases.push(of_highs(between(next, before), Pattern::Wild));
        }
        Some(Pattern::Or(cases))
    }

    /// Makes calls of what is written in the language: divisions, most methods, and conversions from and to floats.
    /// Constants have been evaluated without it.
    pub(super) fn wide_call(&mut self, at: &mut Expr) {
        if !self.cx.syntax.wide {
            return;
        }
        let ty = at.ty.clone();
        let (name, of) = match &at.kind {
            ExprKind::Binary(Binary::Div, ..) if ty.is_wide() => ("div", &ty),
            ExprKind::Binary(Binary::Rem, ..) if ty.is_wide() => ("rem", &ty),
            ExprKind::Number(name, operands) => match operands.first() {
                Some(operand) if operand.ty.is_wide() => (*name, &operand.ty),
                // `u128::from_le_bytes`
                _ if ty.is_wide() => (*name, &ty),
                _ => return,
            },
            ExprKind::Cast(operand) => match (&operand.ty, &ty) {
                (Type::Leaf(from), to) if from.is_float() && to.is_wide() => ("from_float", &ty),
                (from, Type::Leaf(to)) if from.is_wide() && to.is_float() => ("to_float", from),
                _ => return,
            },
            _ => return,
        };
        let name = format!("{WIDE}{name}");
        let (Some(&template), Some(own)) = (self.cx.syntax.methods.get(&name), leaf(of)) else {
            return;
        };
        let mut generics = self.generics_of(template, of, own);
        // Floats of 16 bits are rounded from `f32`, as those of other integers are.
        let float = generics.types.get_mut("F").map(|float| {
            let single = Type::Leaf(Leaf::F32);
            let double = Type::Leaf(Leaf::F64);
            *float = if ty == double { double } else { single };
            float.clone()
        });
        let span = at.span;
        let operands = match std::mem::replace(&mut at.kind, ExprKind::Tuple(Vec::new())) {
            ExprKind::Number(_, operands) => operands,
            ExprKind::Binary(op, left, right) => {
                let name = match op {
                    Binary::Div => "divisor",
                    _ => "divisor of a remainder",
                };
                let divisor = ExprKind::Number(name, vec![*right]);
                vec![*left, expr(divisor, ty.clone(), span)]
            }
            // An `f64` holds every other float.
            ExprKind::Cast(operand) if ty.is_wide() => {
                let double = Type::Leaf(Leaf::F64);
                vec![expr(ExprKind::Cast(operand), double, span)]
            }
            ExprKind::Cast(operand) => vec![*operand],
            _ => return,
        };
        self.calls.push(CallSite {
            template,
            generics,
            span,
        });
        let call = ExprKind::Call(self.calls.len() - 1, operands);
        at.kind = match float {
            Some(float) if float != ty => ExprKind::Cast(Box::new(expr(call, float, span))),
            _ => call,
        };
    }

    /// Of a method that is written in the language for other integers, what is written for these in its place, if the
    /// type that was not known yet is one of these.
    pub(super) fn wide_site(&self, site: &mut CallSite) {
        let function = &self.cx.syntax.functions[site.template];
        let Some(ty) = site
            .generics
            .types
            .get("T")
            .filter(|ty| function.of_rust && ty.is_wide())
        else {
            return;
        };
        let name = format!("{WIDE}{}", function.name);
        if let (Some(&template), Some(own)) = (self.cx.syntax.methods.get(&name), leaf(ty)) {
            site.generics = self.generics_of(template, ty, own);
            site.template = template;
        }
    }
}
