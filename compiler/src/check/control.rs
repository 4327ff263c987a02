//! Branches and loops.

use super::alternatives::alternatives;
use super::infer::POISON;
use super::jumps::{Around, valued};
use super::{Checker, conditions, expr, nothing, unit};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{Arm, Expr, ExprKind, For, Type};
use proc_macro2::Span;

impl Checker<'_> {
    pub(super) fn if_expr(&mut self, node: &syn::ExprIf, want: Option<&Type>) -> Expr {
        let at = node.if_token.span;
        match &conditions::links(&node.cond)[..] {
            [] => {}
            [one] => return self.if_let(node, one, want),
            links => return self.if_chain(node, links, want),
        }
        let condition = self.condition(&node.cond);
        let (then, otherwise, ty) = self.branches(
            want,
            |cx, want| cx.block(&node.then_branch, want),
            node.else_branch.as_ref().map(|(_, e)| &**e),
            at,
        );
        expr(
            ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
            ty,
            at,
        )
    }

    /// Both branches and their type.
    pub(super) fn branches(
        &mut self,
        want: Option<&Type>,
        then: impl FnOnce(&mut Self, Option<&Type>) -> Expr,
        otherwise: Option<&syn::Expr>,
        at: Span,
    ) -> (Expr, Expr, Type) {
        let Some(otherwise) = otherwise else {
            if let Some(poison) = self.without_else(want, at) {
                return (then(self, None), poison, POISON);
            }
            let then = then(self, Some(&unit()));
            return (then, nothing(at), unit());
        };
        let then = then(self, want);
        let goal = match want {
            Some(want) => Some(want.clone()),
            None if then.ty == Type::Never => None,
            None => Some(then.ty.clone()),
        };
        let otherwise = match &goal {
            Some(goal) => self.check(otherwise, goal),
            None => self.infer(otherwise),
        };
        let ty = match (&then.ty, &otherwise.ty) {
            (Type::Never, Type::Never) => Type::Never,
            (Type::Never, ty) | (ty, _) => ty.clone(),
        };
        (then, otherwise, ty)
    }

    /// An `if` without `else` where a value is wanted.
    pub(super) fn without_else(&mut self, want: Option<&Type>, at: Span) -> Option<Expr> {
        let want = want?;
        if self.vars.unify(want, &unit()) {
            return None;
        }
        let shown = self.show(want);
        Some(self.reject(
            at,
            format!("expected {shown}, but this `if` has no `else`"),
            "write the other case: `else { .. }`",
        ))
    }

    pub(super) fn condition(&mut self, node: &syn::Expr) -> Expr {
        let value = self.infer(node);
        if let Type::Array(_, rank) = self.vars.shallow(&value.ty)
            && rank > 0
        {
            let shown = self.show(&value.ty);
            return self.reject(
                span(node),
                format!("a condition is a `bool`, found {shown}"),
                "reduce it with `all()` or `any()`, or use `map(|x| if .. )`",
            );
        }
        self.coerce_at(value, &Type::Leaf(Leaf::Bool), span(node))
    }

    pub(super) fn match_expr(&mut self, node: &syn::ExprMatch, want: Option<&Type>) -> Expr {
        let at = node.match_token.span;
        let scrutinee = self.infer(&node.expr);
        let scrutinee = self.operand(scrutinee);
        self.solve_pending(false);
        let ty = scrutinee.ty.clone();
        if self.vars.resolve(&ty).has_array() {
            let shown = self.show(&ty);
            return self.reject(
                span(&node.expr),
                format!("cannot match on {shown}"),
                match ty {
                    Type::Bundle(_) => "take it apart: `let Name { field, .. } = value;`",
                    _ => "match on a scalar, e.g. on `xs.len()`",
                },
            );
        }
        let mut arms = Vec::new();
        let mut spans = Vec::new();
        let mut result: Option<Type> = want.cloned();
        for arm in &node.arms {
            let pattern = &arm.pat;
            let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
            // A guard is asked for each alternative that fits.
            let alternatives = match guard {
                Some(_) if self.binds(pattern) => alternatives(pattern),
                _ => vec![pattern.clone()],
            };
            for pattern in &alternatives {
                let before = self.scope.len();
                spans.push(span(pattern));
                let pattern = self.pattern(pattern, &ty);
                let guard = guard.map(|guard| self.condition(guard));
                let body = match &result {
                    Some(result) => self.check(&arm.body, &result.clone()),
                    None => self.infer(&arm.body),
                };
                self.scope.truncate(before);
                if result.is_none() && body.ty != Type::Never {
                    result = Some(body.ty.clone());
                }
                arms.push(Arm {
                    pattern,
                    guard,
                    body,
                });
            }
        }
        let start = at.start();
        self.arm_spans.insert((start.line, start.column), spans);
        let all_leave = arms.iter().all(|arm| arm.body.ty == Type::Never);
        let ty = match result {
            Some(result) if !all_leave => result,
            _ => Type::Never,
        };
        expr(ExprKind::Match(Box::new(scrutinee), arms), ty, at)
    }

    pub(super) fn while_loop(&mut self, node: &syn::ExprWhile) -> Expr {
        let at = node.while_token.span;
        let links = conditions::links(&node.cond);
        if !links.is_empty() {
            let label = self.enter(node.label.as_ref(), Around::While);
            let body = self.linked(
                &links,
                &mut |cx| cx.block(&node.body, Some(&unit())),
                &|| expr(ExprKind::Break(label), Type::Never, at),
                at,
            );
            self.loops.pop();
            let kind = ExprKind::While {
                label,
                condition: Box::new(truth(at)),
                body: Box::new(body),
            };
            return expr(kind, unit(), at);
        }
        let label = self.enter(node.label.as_ref(), Around::While);
        let condition = Box::new(self.condition(&node.cond));
        let body = Box::new(self.block(&node.body, Some(&unit())));
        self.loops.pop();
        expr(
            ExprKind::While {
                label,
                condition,
                body,
            },
            unit(),
            at,
        )
    }

    pub(super) fn endless_loop(&mut self, node: &syn::ExprLoop) -> Expr {
        let at = node.loop_token.span;
        let label = self.enter(node.label.as_ref(), Around::Loop);
        let body = Box::new(self.block(&node.body, Some(&unit())));
        let Some(info) = self.loops.pop() else {
            return self.poison(at);
        };
        let ty = if info.left { unit() } else { Type::Never };
        let condition = Box::new(truth(at));
        let kind = ExprKind::While {
            label,
            condition,
            body,
        };
        let whole = expr(kind, ty, at);
        match info.value {
            Some(value) => valued(value, whole, at),
            None => whole,
        }
    }

    pub(super) fn for_loop(&mut self, node: &syn::ExprForLoop) -> Expr {
        let at = node.for_token.span;
        let before = self.scope.len();
        let Some(over) = self.loop_over(&node.expr) else {
            // The body is read for its own errors.
            self.pattern(&node.pat, &POISON);
            self.enter(node.label.as_ref(), Around::While);
            self.block(&node.body, Some(&unit()));
            self.loops.pop();
            self.scope.truncate(before);
            return self.poison(at);
        };
        let ty = match &over.elements {
            Some(elements) => elements.each.ty.clone(),
            None => over.range.start.ty.clone(),
        };
        let pattern = self.pattern(&node.pat, &ty);
        let label = self.enter(node.label.as_ref(), Around::While);
        let body = self.block(&node.body, Some(&unit()));
        self.loops.pop();
        self.scope.truncate(before);
        let counted = |pattern, body| {
            let range = over.range;
            let it = For {
                label,
                pattern,
                range,
                body,
            };
            expr(ExprKind::For(Box::new(it)), unit(), at)
        };
        match over.elements {
            None => counted(pattern, body),
            Some(elements) => elements.around(pattern, body, counted),
        }
    }
}

pub(super) fn truth(at: Span) -> Expr {
    let value = Scalar {
        leaf: Leaf::Bool,
        bits: 1,
    };
    expr(ExprKind::Constant(value), Type::Leaf(Leaf::Bool), at)
}
