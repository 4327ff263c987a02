//! Fixed arrays, `[T; n]`: tuples of equal types with an index.

use super::infer::POISON;
use super::leaving::has_effects;
use super::paths::strip;
use super::{Checker, expr, unit};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Pattern, Stmt, Type};
use proc_macro2::Span;

/// An element of an array has at most so many leaves of a kind.
const LONGEST: u64 = 256;

impl Checker<'_> {
    pub(super) fn fixed_type(&mut self, array: &syn::TypeArray) -> Type {
        let element = self.written_type(&array.elem);
        if element.has_array() {
            let shown = self.show(&element);
            self.error(
                span(&*array.elem),
                format!("{shown} cannot be an element of a fixed array"),
                "use one more rank",
            );
            return POISON;
        }
        match self.length(&array.len) {
            Some(n) => Type::Fixed(Box::new(element), n),
            None => POISON,
        }
    }

    fn length(&mut self, node: &syn::Expr) -> Option<usize> {
        let n = self.constant_usize(node, "the length of a fixed array")?;
        if n == 0 || n > LONGEST {
            self.error(
                span(node),
                format!("a fixed array has 1 to {LONGEST} elements, found {n}"),
                "use a `Vector`",
            );
            return None;
        }
        Some(n as usize)
    }

    /// `[a, b, c]`
    pub(super) fn fixed_literal<'n>(
        &mut self,
        elements: impl Iterator<Item = &'n syn::Expr>,
        at: Span,
    ) -> Expr {
        let element = self.vars.any();
        let values: Vec<Expr> = elements.map(|node| self.check(node, &element)).collect();
        if values.is_empty() || values.len() as u64 > LONGEST {
            return self.reject(
                at,
                format!(
                    "a fixed array has 1 to {LONGEST} elements, found {}",
                    values.len()
                ),
                "use a `Vector`: `generate(n, |i| ..)`",
            );
        }
        let ty = Type::Fixed(Box::new(element), values.len());
        self.fixed_of(values, ty, at)
    }

    fn fixed_of(&mut self, values: Vec<Expr>, ty: Type, at: Span) -> Expr {
        if let Type::Fixed(element, _) = &ty
            && self.vars.resolve(element).has_array()
        {
            let shown = self.show(element);
            return self.reject(
                at,
                format!("{shown} cannot be an element of a fixed array"),
                "write `stack((xs, ys))`, or a tuple",
            );
        }
        expr(ExprKind::Tuple(values), ty, at)
    }

    /// `[x; 4]`: evaluated once.
    pub(super) fn fixed_repeat(&mut self, node: &syn::ExprRepeat) -> Expr {
        let at = span(node);
        let value = self.infer(&node.expr);
        let Some(n) = self.length(&node.len) else {
            return self.poison(at);
        };
        let ty = Type::Fixed(Box::new(value.ty.clone()), n);
        let (statement, local) = self.saved(value);
        let tuple = self.fixed_of(vec![local; n], ty.clone(), at);
        expr(
            ExprKind::Block(vec![statement], Some(Box::new(tuple))),
            ty,
            at,
        )
    }

    /// The position that a literal index names.
    fn literal_position(&mut self, node: &syn::Expr, n: usize) -> Option<usize> {
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(lit),
            ..
        }) = strip(node)
        else {
            return None;
        };
        let position = lit.base10_parse::<usize>().unwrap_or(usize::MAX);
        if position >= n {
            self.error(
                span(node),
                format!("index {} of an array of {n}", lit.base10_digits()),
                format!("the elements are 0 to {}", n - 1),
            );
            return Some(0);
        }
        Some(position)
    }

    /// `a[i]`: a literal is a field, all else is checked at run time.
    pub(super) fn fixed_index(
        &mut self,
        base: Expr,
        element: &Type,
        n: usize,
        node: &syn::Expr,
        at: Span,
    ) -> Expr {
        if let Some(position) = self.literal_position(node, n) {
            let kind = ExprKind::Field(Box::new(base), position);
            return expr(kind, element.clone(), at);
        }
        let mut index = self.check(node, &Type::Usize);
        let read = |index| {
            let kind = ExprKind::Index(Box::new(base.clone()), Box::new(index));
            expr(kind, element.clone(), at)
        };
        // A variable is read after its index has assigned.
        if is_place(&base) && has_effects(&mut index) {
            let (statement, index) = self.saved(index);
            let kind = ExprKind::Block(vec![statement], Some(Box::new(read(index))));
            return expr(kind, element.clone(), at);
        }
        read(index)
    }

    /// `a[i] = v` of a fixed array: the whole array with another element. `None` if the target is something else. `value` gets the
    /// old element, its type, and whether the right side is to be bound first; it gives the new one.
    pub(super) fn assign_at(
        &mut self,
        target: &syn::Expr,
        at: Span,
        value: impl FnOnce(&mut Self, Expr, &Type, bool) -> (Option<Stmt>, Expr),
    ) -> Option<Expr> {
        let syn::Expr::Index(node) = strip(target) else {
            return None;
        };
        let base = self.infer(&node.expr);
        let Type::Fixed(element, n) = self.vars.shallow(&base.ty) else {
            return None;
        };
        let Some((place, ty)) = self.place(&node.expr, false) else {
            return Some(self.poison(at));
        };
        if let Some(position) = self.literal_position(&node.index, n) {
            let mut place = place;
            place.fields.push(position);
            let before = expr(
                ExprKind::Field(Box::new(base), position),
                *element.clone(),
                at,
            );
            let (statement, value) = value(self, before, &element, false);
            let assign = expr(ExprKind::Assign(place, Box::new(value)), unit(), at);
            let statements = statement.into_iter().chain([Stmt::Expr(assign)]).collect();
            return Some(expr(ExprKind::Block(statements, None), unit(), at));
        }
        let mut index = self.check(&node.index, &Type::Usize);
        let right_first = has_effects(&mut index);
        let (index_statement, index) = self.saved(index);
        let before = ExprKind::Index(Box::new(base.clone()), Box::new(index.clone()));
        let before = expr(before, *element.clone(), at);
        let (statement, value) = value(self, before, &element, right_first);
        let whole = expr(ExprKind::Number("with", vec![base, index, value]), ty, at);
        let assign = expr(ExprKind::Assign(place, Box::new(whole)), unit(), at);
        let statements = statement
            .into_iter()
            .chain([index_statement, Stmt::Expr(assign)]);
        Some(expr(
            ExprKind::Block(statements.collect(), None),
            unit(),
            at,
        ))
    }

    /// `[first, .., last]`
    pub(super) fn slice_pattern(&mut self, node: &syn::PatSlice, ty: &Type) -> Pattern {
        let fields: Vec<&syn::Pat> = node.elems.iter().collect();
        let ty = self.vars.shallow(ty);
        let types = match &ty {
            Type::Fixed(element, n) => vec![(**element).clone(); *n],
            ty => {
                if !self.is_poison(ty) {
                    let shown = self.show(ty);
                    self.error(
                        span(node),
                        format!("the pattern `[..]` does not fit {shown}"),
                        "read elements with `xs[i]`",
                    );
                }
                return Pattern::Wild;
            }
        };
        self.parts_pattern(&fields, &types, &ty, span(node))
    }
}

/// Whether an expression is a variable, or a part of one at a known place.
fn is_place(of: &Expr) -> bool {
    match &of.kind {
        ExprKind::Local(_) => true,
        ExprKind::Field(of, _) => is_place(of),
        _ => false,
    }
}
