//! Control flow and assignment.

use super::infer::POISON;
use super::paths::strip;
use super::{Checker, expr, unit};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{Arm, Expr, ExprKind, For, Label, Local, LoopRange, Pattern, Place, Stmt, Type};
use proc_macro2::Span;

/// A loop around the current place.
#[derive(Clone)]
pub(super) struct Loop {
    name: Option<String>,
    label: Label,
    /// The variable that takes the value of a `loop`.
    value: Option<(Local, Type)>,
    /// Whether a `break` leaves it.
    left: bool,
    /// Whether every `break` so far had a value.
    valued: bool,
    endless: bool,
}

impl Checker<'_> {
    pub(super) fn if_expr(&mut self, node: &syn::ExprIf, want: Option<&Type>) -> Expr {
        let at = node.if_token.span;
        if let Some((pattern, value, guard)) = let_condition(&node.cond) {
            return self.if_let(node, pattern, value, guard, want);
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
    fn branches(
        &mut self,
        want: Option<&Type>,
        then: impl FnOnce(&mut Self, Option<&Type>) -> Expr,
        otherwise: Option<&syn::Expr>,
        at: Span,
    ) -> (Expr, Expr, Type) {
        let nothing = || expr(ExprKind::Tuple(Vec::new()), unit(), at);
        let Some(otherwise) = otherwise else {
            if let Some(want) = want
                && !self.vars.unify(want, &unit())
            {
                let then = then(self, None);
                let shown = self.show(want);
                let poison = self.reject(
                    at,
                    format!("expected {shown}, but this `if` has no `else`"),
                    "write the other case: `else { .. }`",
                );
                return (then, poison, POISON);
            }
            let then = then(self, Some(&unit()));
            return (then, nothing(), unit());
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

    fn if_let(
        &mut self,
        node: &syn::ExprIf,
        pattern: &syn::Pat,
        value: &syn::Expr,
        guard: Option<syn::Expr>,
        want: Option<&Type>,
    ) -> Expr {
        let at = node.if_token.span;
        let value = self.infer(value);
        let ty = value.ty.clone();
        let before = self.scope.len();
        let pattern = self.pattern(pattern, &ty);
        let guard = guard.map(|guard| self.condition(&guard));
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

    fn condition(&mut self, node: &syn::Expr) -> Expr {
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
            let (pattern, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            // Alternatives that bind names become arms of their own.
            for pattern in self.alternatives(pattern) {
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

    fn enter(&mut self, label: Option<&syn::Label>, endless: bool) -> Label {
        let id = Label(self.labels);
        self.labels += 1;
        self.loops.push(Loop {
            name: label.map(|label| label.name.ident.to_string()),
            label: id,
            value: None,
            left: false,
            valued: false,
            endless,
        });
        id
    }

    pub(super) fn while_loop(&mut self, node: &syn::ExprWhile) -> Expr {
        let at = node.while_token.span;
        if let Some((pattern, value, guard)) = let_condition(&node.cond) {
            let label = self.enter(node.label.as_ref(), false);
            let value = self.infer(value);
            let ty = value.ty.clone();
            let before = self.scope.len();
            let pattern = self.pattern(pattern, &ty);
            let guard = guard.map(|guard| self.condition(&guard));
            let body = self.block(&node.body, Some(&unit()));
            self.scope.truncate(before);
            self.loops.pop();
            let fits = Arm {
                pattern,
                guard,
                body,
            };
            let misses = Arm {
                pattern: Pattern::Wild,
                guard: None,
                body: expr(ExprKind::Break(label), Type::Never, at),
            };
            let body = expr(
                ExprKind::Match(Box::new(value), vec![fits, misses]),
                unit(),
                at,
            );
            let condition = Box::new(truth(at));
            let body = Box::new(body);
            return expr(
                ExprKind::While {
                    label,
                    condition,
                    body,
                },
                unit(),
                at,
            );
        }
        let condition = Box::new(self.condition(&node.cond));
        let label = self.enter(node.label.as_ref(), false);
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
        let label = self.enter(node.label.as_ref(), true);
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
        let Some((local, ty)) = info.value else {
            return whole;
        };
        // `break value` assigns a variable around the loop.
        let declare = Stmt::Let {
            pattern: Pattern::Bind {
                local,
                name: "value".to_string(),
                ty: ty.clone(),
                inner: None,
            },
            value: None,
        };
        let tail = expr(ExprKind::Local(local), ty.clone(), at);
        expr(
            ExprKind::Block(vec![declare, Stmt::Expr(whole)], Some(Box::new(tail))),
            ty,
            at,
        )
    }

    pub(super) fn for_loop(&mut self, node: &syn::ExprForLoop) -> Expr {
        let at = node.for_token.span;
        let Some(range) = self.loop_range(&node.expr) else {
            // The body is read for its own errors.
            let before = self.scope.len();
            self.pattern(&node.pat, &POISON);
            self.enter(node.label.as_ref(), false);
            self.block(&node.body, Some(&unit()));
            self.loops.pop();
            self.scope.truncate(before);
            return self.poison(at);
        };
        let ty = range.start.ty.clone();
        let before = self.scope.len();
        let pattern = self.pattern(&node.pat, &ty);
        let label = self.enter(node.label.as_ref(), false);
        let body = self.block(&node.body, Some(&unit()));
        self.loops.pop();
        self.scope.truncate(before);
        let it = For {
            label,
            pattern,
            range,
            body,
        };
        expr(ExprKind::For(Box::new(it)), unit(), at)
    }

    /// `a..b`, `a..=b`, with `.rev()`, `.step_by(k)` and `.rev()`.
    fn loop_range(&mut self, node: &syn::Expr) -> Option<LoopRange> {
        match strip(node) {
            syn::Expr::Range(range) => {
                let (Some(start), Some(end)) = (&range.start, &range.end) else {
                    self.error(
                        span(range),
                        "a loop needs both ends of its range",
                        "write `0..n`, or a `loop` with a `break`",
                    );
                    return None;
                };
                let start = self.infer(start);
                let start = self.operand(start);
                let end = self.check(end, &start.ty.clone());
                let class = super::operators::Class::Integer;
                self.require(&start.ty, class, span(range), "a `for` over a range");
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                Some(LoopRange {
                    start,
                    end,
                    inclusive,
                    reversed: false,
                    step: None,
                    backwards: false,
                })
            }
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let mut range = self.loop_range(&call.receiver)?;
                let turned = match range.step {
                    Some(_) => &mut range.backwards,
                    None => &mut range.reversed,
                };
                *turned = !*turned;
                Some(range)
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let range = self.loop_range(&call.receiver)?;
                if range.step.is_some() {
                    self.error(
                        call.method.span(),
                        "`step_by` twice is not supported yet",
                        "multiply the steps",
                    );
                    return None;
                }
                let step = self.check(&call.args[0], &Type::Usize);
                Some(LoopRange {
                    step: Some(step),
                    ..range
                })
            }
            other => {
                let value = self.without(other, &mut Vec::new());
                let value = self.infer(&value);
                if !self.is_poison(&value.ty) {
                    let shown = self.show(&value.ty);
                    let help = match self.vars.shallow(&value.ty) {
                        Type::Array(..) => "write `for i in 0..xs.len() { .. xs[i] .. }`",
                        _ => "write the range here: `for i in 0..n`",
                    };
                    self.error(
                        span(other),
                        format!("a `for` over {shown} is not supported yet"),
                        help,
                    );
                }
                None
            }
        }
    }

    /// The loop that `break` or `continue` means.
    fn target(&mut self, label: Option<&syn::Lifetime>, what: &str, at: Span) -> Option<usize> {
        if self.loops.is_empty() {
            self.error(at, format!("`{what}` outside of a loop"), "");
            return None;
        }
        let Some(label) = label else {
            return Some(self.loops.len() - 1);
        };
        let name = label.ident.to_string();
        let found = self
            .loops
            .iter()
            .rposition(|l| l.name.as_ref() == Some(&name));
        if found.is_none() {
            let names: Vec<String> = self.loops.iter().filter_map(|l| l.name.clone()).collect();
            let near = super::suggest::nearest(&name, names.iter().map(String::as_str));
            let help = near
                .map(|name| format!("did you mean `'{name}`?"))
                .unwrap_or_default();
            self.error(label.span(), format!("no loop is named `'{name}`"), help);
        }
        found
    }

    pub(super) fn break_expr(&mut self, node: &syn::ExprBreak) -> Expr {
        let at = node.break_token.span;
        let Some(target) = self.target(node.label.as_ref(), "break", at) else {
            return self.poison(at);
        };
        let label = self.loops[target].label;
        let leave = expr(ExprKind::Break(label), Type::Never, at);
        let first = !self.loops[target].left;
        let Some(value) = &node.expr else {
            if !first && self.loops[target].valued {
                return self.reject(
                    at,
                    "this `break` needs a value, as the others of this loop",
                    "write `break value`",
                );
            }
            self.loops[target].left = true;
            return leave;
        };
        if !self.loops[target].endless {
            return self.reject(
                span(&**value),
                "`break` with a value is for `loop` only",
                "assign a variable declared before the loop",
            );
        }
        if !first && !self.loops[target].valued {
            return self.reject(
                span(&**value),
                "the other `break` of this loop have no value",
                "give all of them one",
            );
        }
        let (local, ty) = match self.loops[target].value.clone() {
            Some(known) => known,
            None => {
                let ty = self.vars.any();
                let local = self.fresh_local("value", at);
                self.loops[target].value = Some((local, ty.clone()));
                (local, ty)
            }
        };
        self.loops[target].left = true;
        self.loops[target].valued = true;
        let value = self.check(value, &ty);
        let place = Place {
            local,
            fields: Vec::new(),
        };
        let assign = expr(ExprKind::Assign(place, Box::new(value)), unit(), at);
        expr(
            ExprKind::Block(vec![Stmt::Expr(assign)], Some(Box::new(leave))),
            Type::Never,
            at,
        )
    }

    pub(super) fn continue_expr(&mut self, node: &syn::ExprContinue) -> Expr {
        let at = node.continue_token.span;
        match self.target(node.label.as_ref(), "continue", at) {
            Some(target) => {
                let label = self.loops[target].label;
                expr(ExprKind::Continue(label), Type::Never, at)
            }
            None => self.poison(at),
        }
    }

    pub(super) fn return_expr(&mut self, node: &syn::ExprReturn) -> Expr {
        let at = node.return_token.span;
        let result = self.result.clone();
        let value = match &node.expr {
            Some(value) => Some(Box::new(self.check(value, &result))),
            None => {
                if !self.vars.unify(&result, &unit()) {
                    let shown = self.show(&result);
                    return self.reject(
                        at,
                        format!("this `return` needs a value of type {shown}"),
                        "write `return value`",
                    );
                }
                None
            }
        };
        expr(ExprKind::Return(value), Type::Never, at)
    }
}

fn truth(at: Span) -> Expr {
    let value = Scalar {
        leaf: Leaf::Bool,
        bits: 1,
    };
    expr(ExprKind::Constant(value), Type::Leaf(Leaf::Bool), at)
}

/// `let pattern = value`, and `&& guard` after it.
fn let_condition(node: &syn::Expr) -> Option<(&syn::Pat, &syn::Expr, Option<syn::Expr>)> {
    match node {
        syn::Expr::Let(node) => Some((&node.pat, &node.expr, None)),
        syn::Expr::Binary(node) if matches!(node.op, syn::BinOp::And(_)) => {
            let (pattern, value, guard) = let_condition(&node.left)?;
            let right = (*node.right).clone();
            let guard = match guard {
                None => right,
                Some(left) => syn::Expr::Binary(syn::ExprBinary {
                    attrs: Vec::new(),
                    left: Box::new(left),
                    op: node.op,
                    right: Box::new(right),
                }),
            };
            Some((pattern, value, Some(guard)))
        }
        _ => None,
    }
}
