//! Segments of an axis: lengths or offsets, as arguments.

use super::infer::{Kind, is_integer, leaf};
use super::{Checker, expr};
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// Segments: a vector of lengths, or `Offsets`.
    pub(super) fn segments_argument(&mut self, node: &syn::Expr, name: &str) -> Expr {
        let value = self.infer(node);
        let value = self.operand(value);
        let ok = match self.vars.shallow(&value.ty) {
            Type::Offsets(_) => true,
            Type::Array(element, 1) => self.is_count(&element),
            _ => false,
        };
        if ok || self.is_poison(&value.ty) {
            return value;
        }
        let shown = self.show(&value.ty);
        let help = match self.vars.shallow(&value.ty) {
            Type::Array(element, 1) if is_integer(&self.vars.shallow(&element)) => {
                "convert them: `lengths.map(|n| n as usize)`"
            }
            _ => "write the lengths of the segments, or `Offsets::new(&offsets)`",
        };
        self.reject(
            span(node),
            format!("`{name}` takes a vector of unsigned lengths, or `Offsets`, found {shown}"),
            help,
        )
    }

    /// `Offsets::new(&offsets)`.
    pub(super) fn offsets(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        let [arg] = args else {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count("Offsets::new", 1, args.len(), at);
        };
        let value = self.infer(arg);
        let value = self.operand(value);
        if name != "new" {
            return self.reject(
                at,
                format!("unknown function `Offsets::{name}`"),
                "write `Offsets::new(&offsets)`",
            );
        }
        let ty = self.vars.shallow(&value.ty);
        if let Type::Array(element, 1) = &ty
            && self.is_count(element)
        {
            let ty = Type::Offsets(element.clone());
            return expr(ExprKind::Array(ArrayOp::Offsets, vec![value]), ty, at);
        }
        if self.is_poison(&ty) {
            return self.poison(at);
        }
        let shown = self.show(&ty);
        self.reject(
            span(*arg),
            format!("`Offsets::new` takes a vector of unsigned integers, found {shown}"),
            "one offset more than there are segments: the first is 0, the last the length of the axis",
        )
    }

    /// Whether values of a type count something; a literal's type becomes `usize`.
    pub(super) fn is_count(&mut self, ty: &Type) -> bool {
        if self.vars.kind(ty) == Some(Kind::Integer) {
            return self.vars.unify(ty, &Type::Usize);
        }
        let ty = self.vars.shallow(ty);
        is_integer(&ty) && leaf(&ty).is_some_and(|leaf| !leaf.is_signed())
    }
}
