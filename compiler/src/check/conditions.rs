//! Conditions with `let`: patterns and conditions, each evaluated if all before it hold.

use super::{Checker, expr, nothing, unit};
use crate::typed::{Arm, Expr, ExprKind, Pattern, Stmt, Type};
use proc_macro2::Span;

/// `let pattern = value` with the conditions after it; the first may be conditions alone.
pub(super) struct Link<'s> {
    pattern: Option<(&'s syn::Pat, &'s syn::Expr)>,
    conditions: Vec<&'s syn::Expr>,
}

/// The links of a condition; none if it has no `let`.
pub(super) fn links(condition: &syn::Expr) -> Vec<Link<'_>> {
    let mut parts = Vec::new();
    conjuncts(condition, &mut parts);
    if !parts.iter().any(|part| matches!(part, syn::Expr::Let(_))) {
        return Vec::new();
    }
    let mut links: Vec<Link<'_>> = Vec::new();
    for part in parts {
        match (part, links.last_mut()) {
            (syn::Expr::Let(node), _) => links.push(Link {
                pattern: Some((&node.pat, &node.expr)),
                conditions: Vec::new(),
            }),
            (part, Some(link)) => link.conditions.push(part),
            (part, None) => links.push(Link {
                pattern: None,
                conditions: vec![part],
            }),
        }
    }
    links
}

fn conjuncts<'s>(node: &'s syn::Expr, parts: &mut Vec<&'s syn::Expr>) {
    match node {
        syn::Expr::Binary(node) if matches!(node.op, syn::BinOp::And(_)) => {
            conjuncts(&node.left, parts);
            conjuncts(&node.right, parts);
        }
        node => parts.push(node),
    }
}

impl Checker<'_> {
    pub(super) fn if_let(
        &mut self,
        node: &syn::ExprIf,
        link: &Link<'_>,
        want: Option<&Type>,
    ) -> Expr {
        let at = node.if_token.span;
        let Some((pattern, value)) = link.pattern else {
            return self.poison(at);
        };
        let value = self.infer(value);
        let ty = value.ty.clone();
        let before = self.scope.len();
        let pattern = self.pattern(pattern, &ty);
        let guard = self.all(&link.conditions);
        let scope = std::mem::take(&mut self.scope);
        let outer = scope[..before].to_vec();
        let (then, otherwise, ty) = self.branches(
            want,
            |cx, want| {
                cx.scope = scope;
                let then = cx.block(&node.then_branch, want);
                cx.scope = outer;
                then
            },
            node.else_branch.as_ref().map(|(_, e)| &**e),
            at,
        );
        matched(value, pattern, guard, [then, otherwise], ty, at)
    }

    /// An `if` of several links: the first side leaves a block around both.
    pub(super) fn if_chain(
        &mut self,
        node: &syn::ExprIf,
        links: &[Link<'_>],
        want: Option<&Type>,
    ) -> Expr {
        let at = node.if_token.span;
        let Some((_, otherwise)) = &node.else_branch else {
            if let Some(poison) = self.without_else(want, at) {
                return poison;
            }
            let mut then = |cx: &mut Self| cx.block(&node.then_branch, Some(&unit()));
            return self.linked(links, &mut then, &|| nothing(at), at);
        };
        let (id, value) = self.enter_block(None, want, at);
        let mut left = false;
        let mut then = |cx: &mut Self| {
            let then = cx.block(&node.then_branch, Some(&value.1));
            left = then.ty != Type::Never;
            cx.leave_with(id, value.0, then)
        };
        let then = self.linked(links, &mut then, &|| nothing(at), at);
        self.loops.pop();
        let otherwise = self.check(otherwise, &value.1);
        self.labelled(id, value, left, vec![Stmt::Expr(then)], otherwise, at)
    }

    /// What follows if all links hold, else `misses`.
    pub(super) fn linked(
        &mut self,
        links: &[Link<'_>],
        then: &mut dyn FnMut(&mut Self) -> Expr,
        misses: &dyn Fn() -> Expr,
        at: Span,
    ) -> Expr {
        let Some((link, rest)) = links.split_first() else {
            return then(self);
        };
        let Some((pattern, value)) = link.pattern else {
            let condition = self.all(&link.conditions);
            let then = self.linked(rest, then, misses, at);
            let Some(condition) = condition else {
                return then;
            };
            let sides = [condition, then, misses()].map(Box::new);
            let [condition, then, otherwise] = sides;
            return expr(ExprKind::If(condition, then, otherwise), unit(), at);
        };
        let value = self.infer(value);
        let ty = value.ty.clone();
        let before = self.scope.len();
        let pattern = self.pattern(pattern, &ty);
        let guard = self.all(&link.conditions);
        let then = self.linked(rest, then, misses, at);
        self.scope.truncate(before);
        matched(value, pattern, guard, [then, misses()], unit(), at)
    }

    /// All of some conditions.
    fn all(&mut self, conditions: &[&syn::Expr]) -> Option<Expr> {
        let mut conditions = conditions.iter();
        let first = self.condition(conditions.next()?);
        Some(conditions.fold(first, |all, condition| {
            let (ty, span) = (all.ty.clone(), all.span);
            let kind = ExprKind::Lazy {
                and: true,
                left: Box::new(all),
                right: Box::new(self.condition(condition)),
            };
            expr(kind, ty, span)
        }))
    }
}

/// One side if the pattern fits and the guard holds, else the other one.
fn matched(
    value: Expr,
    pattern: Pattern,
    guard: Option<Expr>,
    [then, otherwise]: [Expr; 2],
    ty: Type,
    at: Span,
) -> Expr {
    let fits = Arm {
        pattern,
        guard,
        body: then,
    };
    let misses = Arm {
        pattern: Pattern::Wild,
        guard: None,
        body: otherwise,
    };
    expr(ExprKind::Match(Box::new(value), vec![fits, misses]), ty, at)
}
