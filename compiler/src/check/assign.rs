//! Assignment: to variables and fields of them; arrays do not change.

use super::infer::POISON;
use super::leaving::has_effects;
use super::paths::{segments, strip};
use super::{Checker, expr, unit};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Place, Stmt, Type};
use proc_macro2::Span;

impl Checker<'_> {
    pub(super) fn assign(&mut self, node: &syn::ExprAssign) -> Expr {
        let at = node.eq_token.span;
        if let syn::Expr::Infer(_) = strip(&node.left) {
            let value = self.infer(&node.right);
            return expr(ExprKind::Block(vec![Stmt::Expr(value)], None), unit(), at);
        }
        if let syn::Expr::Tuple(targets) = strip(&node.left) {
            return self.assign_tuple(targets, &node.right, at);
        }
        let assigned = self.assign_at(&node.left, at, |cx, _, ty, right_first| {
            let right = cx.check(&node.right, ty);
            cx.evaluated_first(right, right_first)
        });
        if let Some(assigned) = assigned {
            return assigned;
        }
        match self.place(&node.left, true) {
            Some((place, ty)) => {
                let value = Box::new(self.check(&node.right, &ty));
                expr(ExprKind::Assign(place, value), unit(), at)
            }
            None => {
                self.infer(&node.right);
                self.poison(at)
            }
        }
    }

    /// `(a, b) = (b, a + b);`
    fn assign_tuple(&mut self, targets: &syn::ExprTuple, value: &syn::Expr, at: Span) -> Expr {
        let nested =
            |target: &syn::Expr| matches!(strip(target), syn::Expr::Tuple(_) | syn::Expr::Index(_));
        if targets.elems.iter().any(nested) {
            let value = self.infer(value);
            let (statement, value) = self.saved(value);
            let mut statements = vec![statement];
            self.assign_parts(targets, &value, &mut statements);
            return expr(ExprKind::Block(statements, None), unit(), at);
        }
        let mut places = Vec::new();
        for target in &targets.elems {
            match strip(target) {
                syn::Expr::Infer(_) => places.push((None, self.vars.any())),
                target => match self.place(target, true) {
                    Some((place, ty)) => places.push((Some(place), ty)),
                    None => return self.poison(at),
                },
            }
        }
        let ty = Type::Tuple(places.iter().map(|(_, ty)| ty.clone()).collect());
        let value = self.check(value, &ty);
        let (statement, local) = self.saved(Expr { ty, ..value });
        let mut statements = vec![statement];
        for (position, (place, ty)) in places.into_iter().enumerate() {
            if let Some(place) = place {
                let field = ExprKind::Field(Box::new(local.clone()), position);
                let field = Box::new(expr(field, ty, at));
                statements.push(Stmt::Expr(expr(ExprKind::Assign(place, field), unit(), at)));
            }
        }
        expr(ExprKind::Block(statements, None), unit(), at)
    }

    /// Assigns the fields of a tuple, whose targets may be tuples and elements.
    fn assign_parts(&mut self, targets: &syn::ExprTuple, value: &Expr, statements: &mut Vec<Stmt>) {
        let at = span(targets);
        let types: Vec<Type> = targets.elems.iter().map(|_| self.vars.any()).collect();
        if !self.vars.unify(&value.ty, &Type::Tuple(types.clone())) {
            let shown = self.show(&value.ty);
            let count = types.len();
            self.error(
                at,
                format!("expected {shown}, found a tuple of {count}"),
                "",
            );
            return;
        }
        for (position, (target, ty)) in targets.elems.iter().zip(types).enumerate() {
            let field = ExprKind::Field(Box::new(value.clone()), position);
            let field = expr(field, self.vars.shallow(&ty), value.span);
            match strip(target) {
                syn::Expr::Infer(_) => {}
                syn::Expr::Tuple(targets) => self.assign_parts(targets, &field, statements),
                target => {
                    let element = field.clone();
                    let assigned =
                        self.assign_at(target, at, |cx, _, ty, _| (None, cx.coerce(element, ty)));
                    let assigned = assigned.or_else(|| {
                        let (place, ty) = self.place(target, true)?;
                        let field = Box::new(self.coerce(field, &ty));
                        Some(expr(ExprKind::Assign(place, field), unit(), at))
                    });
                    statements.extend(assigned.map(Stmt::Expr));
                }
            }
        }
    }

    pub(super) fn compound_assign(&mut self, node: &syn::ExprBinary) -> Expr {
        let at = span(&node.op);
        let assigned = self.assign_at(&node.left, at, |cx, before, ty, right_first| {
            let right = cx.infer(&node.right);
            let (statement, right) = cx.evaluated_first(right, right_first);
            let value = cx.operator(&node.op, before, right, &node.left, &node.right);
            (statement, cx.coerce(value, ty))
        });
        if let Some(assigned) = assigned {
            return assigned;
        }
        let Some((place, ty)) = self.place(&node.left, false) else {
            self.infer(&node.right);
            return self.poison(at);
        };
        let before = self.infer(&node.left);
        let right = self.infer(&node.right);
        let (statement, right) = self.evaluated_first(right, false);
        let value = self.operator(&node.op, before, right, &node.left, &node.right);
        let value = Box::new(self.coerce(value, &ty));
        let assign = expr(ExprKind::Assign(place, value), unit(), at);
        match statement {
            Some(statement) => {
                let statements = vec![statement, Stmt::Expr(assign)];
                expr(ExprKind::Block(statements, None), unit(), at)
            }
            None => assign,
        }
    }

    /// The right side of an assignment, which Rust evaluates before it looks at the left one: bound if it has effects
    /// itself, or if the left side has.
    fn evaluated_first(&mut self, mut right: Expr, always: bool) -> (Option<Stmt>, Expr) {
        if !always && !has_effects(&mut right) {
            return (None, right);
        }
        let (statement, right) = self.saved(right);
        (Some(statement), right)
    }

    /// The target of an assignment and its type.
    pub(super) fn place(&mut self, node: &syn::Expr, plain: bool) -> Option<(Place, Type)> {
        match strip(node) {
            syn::Expr::Path(path) => {
                let name = segments(&path.path).pop().unwrap_or_default();
                let at = span(&path.path);
                let Some(binding) = self.lookup(&name).cloned() else {
                    let help = self.suggest_value(&name);
                    self.unknown(&name, at, format!("unknown name `{name}`"), help);
                    return None;
                };
                if binding.depth < self.depth {
                    let help = match self.vars.shallow(&binding.ty) {
                        Type::Array(..) => {
                            "operations change nothing in place: build a new array from the closure's results"
                        }
                        _ => "reduce with `fold`, or write a `for` loop",
                    };
                    self.error(
                        at,
                        format!("a closure cannot assign `{name}`, which it captures"),
                        help,
                    );
                    return None;
                }
                let first = binding.late && plain;
                if !binding.mutable && !first {
                    self.error(
                        at,
                        format!("cannot assign twice to `{name}`, which is not mutable"),
                        format!("declare it with `let mut {name}`"),
                    );
                    return None;
                }
                let place = Place {
                    local: binding.local,
                    fields: Vec::new(),
                };
                Some((place, binding.ty))
            }
            syn::Expr::Field(field) => {
                let (mut place, ty) = self.place(&field.base, false)?;
                let ty = self.vars.shallow(&ty);
                let (name, at) = match &field.member {
                    syn::Member::Named(name) => (name.to_string(), name.span()),
                    syn::Member::Unnamed(index) => (index.index.to_string(), index.span),
                };
                let found = match &ty {
                    Type::Struct(id) | Type::Bundle(id) => self.cx.field(*id, &name),
                    Type::Tuple(types) => name
                        .parse::<usize>()
                        .ok()
                        .and_then(|i| Some((i, types.get(i)?.clone()))),
                    &POISON => return None,
                    _ => None,
                };
                let Some((position, field_type)) = found else {
                    let help = match &ty {
                        Type::Struct(id) | Type::Bundle(id) => self.cx.suggest_field(*id, &name),
                        _ => String::new(),
                    };
                    let shown = self.show(&ty);
                    self.error(at, format!("no field `{name}` on {shown}"), help);
                    return None;
                };
                place.fields.push(position);
                Some((place, field_type))
            }
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }) => self.place(expr, plain),
            syn::Expr::Index(index) => {
                let base = self.infer(&index.expr);
                if self.is_poison(&base.ty) {
                    return None;
                }
                let captured = match strip(&index.expr) {
                    syn::Expr::Path(path) => {
                        let name = segments(&path.path).pop().unwrap_or_default();
                        self.lookup(&name).is_some_and(|b| b.depth < self.depth)
                    }
                    _ => false,
                };
                let message = match captured {
                    true => "a closure cannot change an array that it captures",
                    false => "an element of an array cannot be assigned",
                };
                self.error(
                    span(index),
                    message,
                    "arrays do not change: write `xs.map_indexed(|i, x| ..)` or `generate(n, |i| ..)`",
                );
                None
            }
            other => {
                self.error(
                    span(other),
                    "this cannot be assigned",
                    "assign a variable or a field of one",
                );
                None
            }
        }
    }
}
