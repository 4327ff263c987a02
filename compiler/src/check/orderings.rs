//! `Ordering`: its values and methods, and the comparisons that give one.

use super::infer::{Kind, POISON, leaf};
use super::suggest::did_you_mean;
use super::{Checker, expr};
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

/// The values in order, as Rust names them; `Less` is -1.
pub(super) const VALUES: [&str; 3] = ["Less", "Equal", "Greater"];

/// What a method takes beside its receiver, and whether it gives a `bool`.
const METHODS: &[(&str, Takes, bool)] = &[
    ("reverse", Takes::Nothing, false),
    ("then", Takes::Ordering, false),
    ("then_with", Takes::Closure, false),
    ("is_lt", Takes::Nothing, true),
    ("is_le", Takes::Nothing, true),
    ("is_gt", Takes::Nothing, true),
    ("is_ge", Takes::Nothing, true),
    ("is_eq", Takes::Nothing, true),
    ("is_ne", Takes::Nothing, true),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Ordering,
    Closure,
}

/// The comparisons, methods of every type that has an order.
const COMPARISONS: [&str; 3] = ["cmp", "partial_cmp", "total_cmp"];

impl Checker<'_> {
    /// `Ordering::Less`, unless the block has a type of this name.
    pub(super) fn ordering_value(&mut self, owner: &str, name: &str, at: Span) -> Option<Expr> {
        if owner != "Ordering" {
            return None;
        }
        let Some(position) = VALUES.iter().position(|value| *value == name) else {
            let help = "its values are `Less`, `Equal` and `Greater`";
            return Some(self.reject(at, format!("no `{name}` in `Ordering`"), help));
        };
        let value = Scalar::wrapped(Leaf::I8, (position as u64).wrapping_sub(1));
        Some(expr(ExprKind::Constant(value), Type::Ordering, at))
    }

    /// `order.then(..)`.
    pub(super) fn ordering_method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let Some(&(name, takes, asks)) = METHODS.iter().find(|(known, ..)| *known == name) else {
            for arg in args {
                self.argument_for_errors(arg);
            }
            let help = did_you_mean(name, METHODS.iter().map(|(known, ..)| *known));
            return self.reject(at, format!("no method `{name}` on `Ordering`"), help);
        };
        let count = usize::from(takes != Takes::Nothing);
        if args.len() != count {
            return self.wrong_count(name, count, args.len(), at);
        }
        let mut operands = vec![receiver];
        match takes {
            Takes::Nothing => {}
            Takes::Ordering => operands.push(self.check(args[0], &Type::Ordering)),
            Takes::Closure => {
                let closure = self.closure_argument(args[0], &[], Some(&Type::Ordering), name);
                operands.push(closure.0);
            }
        }
        let ty = match asks {
            true => Type::Leaf(Leaf::Bool),
            false => Type::Ordering,
        };
        expr(ExprKind::Number(name, operands), ty, at)
    }

    /// `a.cmp(b)`, `a.partial_cmp(b)`, `a.total_cmp(b)`; `None` if the method is another one.
    pub(super) fn comparison(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Option<Expr> {
        let name = *COMPARISONS.iter().find(|known| **known == name)?;
        let ty = self.vars.resolve(&receiver.ty);
        let own = match &ty {
            Type::Struct(id) => {
                let method = format!("{}::{name}", self.cx.name(*id));
                self.cx.functions.contains_key(&method)
            }
            ty => self.vars.kind(ty) == Some(Kind::Any) || *ty == Type::Never,
        };
        if own || ty == POISON || !self.has_order(&ty) {
            return None;
        }
        let [arg] = args else {
            return Some(self.wrong_count(name, 1, args.len(), at));
        };
        let other = self.check(arg, &ty);
        let ty = self.vars.resolve(&ty);
        if ty == POISON {
            return Some(self.poison(at));
        }
        let float = |ty: &Type| {
            self.vars.kind(ty) == Some(Kind::Float) || leaf(ty).is_some_and(Leaf::is_float)
        };
        let (total, floats) = (float(&ty), self.any_part(&ty, &float));
        let shown = self.show(&ty);
        match name {
            "cmp" if floats => {
                let help = match total {
                    true => "write `a.total_cmp(&b)`",
                    false => "compare its floats by `total_cmp`, one field `.then(..)` the other",
                };
                return Some(self.reject(at, format!("{shown} has no total order"), help));
            }
            "total_cmp" if !total => {
                let message = format!("no method `total_cmp` on {shown}");
                return Some(self.reject(at, message, "write `a.cmp(&b)`"));
            }
            _ => {}
        }
        let result = match name {
            "partial_cmp" => Type::Option(Box::new(Type::Ordering)),
            _ => Type::Ordering,
        };
        let operands = vec![receiver.clone(), other];
        Some(expr(ExprKind::Number(name, operands), result, at))
    }

    /// Whether a scalar in a type is one of these.
    fn any_part(&self, ty: &Type, is: &dyn Fn(&Type) -> bool) -> bool {
        match ty {
            Type::Tuple(fields) => fields.iter().any(|field| self.any_part(field, is)),
            Type::Fixed(inner, _) | Type::Option(inner) => self.any_part(inner, is),
            Type::Struct(id) => {
                let fields = self.cx.fields(*id);
                fields.iter().any(|(_, field)| self.any_part(field, is))
            }
            ty => is(ty),
        }
    }

    /// Whether an ordering stands in a type: the host has none.
    pub(super) fn has_ordering(ty: &Type) -> bool {
        match ty {
            Type::Ordering => true,
            Type::Tuple(fields) => fields.iter().any(Self::has_ordering),
            Type::Array(inner, _)
            | Type::Fixed(inner, _)
            | Type::Option(inner)
            | Type::Segmented(inner) => Self::has_ordering(inner),
            _ => false,
        }
    }
}
