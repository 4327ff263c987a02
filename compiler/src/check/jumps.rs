//! What leaves a place: `break`, `continue` and `return`, and the loops and blocks that they leave.

use super::{Checker, expr, nothing, unit};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Label, Local, Pattern, Place, Stmt, Type};
use proc_macro2::Span;

/// What is left by `break`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    /// `while` and `for`.
    While,
    Loop,
    /// `'label: { .. }`
    Block,
}

/// A loop or a labelled block around the current place.
#[derive(Clone)]
pub(super) struct Loop {
    name: Option<String>,
    label: Label,
    /// The variable that takes the value of a `loop` or a block.
    pub(super) value: Option<(Local, Type)>,
    /// Whether a `break` leaves it.
    pub(super) left: bool,
    /// Whether every `break` so far had a value.
    valued: bool,
    kind: Around,
}

impl Checker<'_> {
    pub(super) fn enter(&mut self, label: Option<&syn::Label>, kind: Around) -> Label {
        let id = Label(self.labels);
        self.labels += 1;
        self.loops.push(Loop {
            name: label.map(|label| label.name.ident.to_string()),
            label: id,
            value: None,
            left: false,
            valued: false,
            kind,
        });
        id
    }

    /// `'label: { .. }`
    pub(super) fn labelled_block(
        &mut self,
        label: &syn::Label,
        block: &syn::Block,
        want: Option<&Type>,
    ) -> Expr {
        let at = label.name.span();
        let (id, value) = self.enter_block(Some(label), want, at);
        let body = self.block(block, Some(&value.1));
        let left = self.loops.pop().is_some_and(|info| info.left);
        self.labelled(id, value, left, Vec::new(), body, at)
    }

    /// Enters a block; gives the variable that takes its value.
    pub(super) fn enter_block(
        &mut self,
        label: Option<&syn::Label>,
        want: Option<&Type>,
        at: Span,
    ) -> (Label, (Local, Type)) {
        let id = self.enter(label, Around::Block);
        let ty = want.cloned().unwrap_or_else(|| self.vars.any());
        let value = (self.fresh_local("value", at), ty);
        if let Some(block) = self.loops.last_mut() {
            block.value = Some(value.clone());
        }
        (id, value)
    }

    /// A block with its value: that of its end, or what has been assigned before `break`, if it is `left` so.
    pub(super) fn labelled(
        &mut self,
        id: Label,
        value: (Local, Type),
        left: bool,
        mut statements: Vec<Stmt>,
        last: Expr,
        at: Span,
    ) -> Expr {
        let leaves = last.ty == Type::Never;
        let last = assigned_at_ends(value.0, last);
        let ty = last.ty.clone();
        statements.push(Stmt::Expr(last));
        let body = expr(ExprKind::Block(statements, None), ty, at);
        let labelled = |ty| expr(ExprKind::Labelled(id, Box::new(body)), ty, at);
        match leaves && !left {
            true => labelled(Type::Never),
            false => valued(value, labelled(unit()), at),
        }
    }

    /// Leaves a block with a value.
    pub(super) fn leave_with(&mut self, label: Label, local: Local, value: Expr) -> Expr {
        if value.ty == Type::Never {
            return value;
        }
        let at = value.span;
        let leave = expr(ExprKind::Break(label), Type::Never, at);
        let statements = vec![Stmt::Expr(assigned(local, value))];
        let kind = ExprKind::Block(statements, Some(Box::new(leave)));
        expr(kind, Type::Never, at)
    }

    /// What `break` or `continue` leaves.
    fn target(&mut self, label: Option<&syn::Lifetime>, what: &str, at: Span) -> Option<usize> {
        let Some(label) = label else {
            let found = (self.loops.iter()).rposition(|around| around.kind != Around::Block);
            let blocks = &self.loops[found.map_or(0, |found| found + 1)..];
            let block = blocks.iter().rev().find_map(|block| block.name.clone());
            match (found, block) {
                (None, Some(name)) if what == "break" => self.error(
                    at,
                    "`break` without a label leaves a loop, and here is none",
                    format!("write `break '{name}` to leave the block"),
                ),
                (None, _) => self.error(at, format!("`{what}` outside of a loop"), ""),
                (Some(_), Some(name)) => self.error(
                    at,
                    format!("this `{what}` would leave the block `'{name}` for a loop around it"),
                    format!("give the loop a label, and write `{what} 'label`"),
                ),
                (Some(_), None) => return found,
            }
            return None;
        };
        let name = label.ident.to_string();
        let found = (self.loops.iter()).rposition(|around| around.name.as_ref() == Some(&name));
        if found.is_none() {
            let names: Vec<String> = self.loops.iter().filter_map(|l| l.name.clone()).collect();
            let near = super::suggest::nearest(&name, names.iter().map(String::as_str));
            let help = near
                .map(|name| format!("did you mean `'{name}`?"))
                .unwrap_or_default();
            self.error(
                label.span(),
                format!("no loop or block is named `'{name}`"),
                help,
            );
        }
        found
    }

    pub(super) fn break_expr(&mut self, node: &syn::ExprBreak) -> Expr {
        let at = node.break_token.span;
        let Some(target) = self.target(node.label.as_ref(), "break", at) else {
            return self.poison(at);
        };
        let kind = self.loops[target].kind;
        let label = self.loops[target].label;
        let leave = expr(ExprKind::Break(label), Type::Never, at);
        let first = !self.loops[target].left;
        let Some(value) = &node.expr else {
            if let (Around::Block, Some((local, ty))) = (kind, self.loops[target].value.clone()) {
                return self.break_block(target, local, &ty, leave);
            }
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
        if kind == Around::While {
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
        let assign = assigned(local, value);
        expr(
            ExprKind::Block(vec![Stmt::Expr(assign)], Some(Box::new(leave))),
            Type::Never,
            at,
        )
    }

    /// `break 'label` of a block, whose value is `()`.
    fn break_block(&mut self, target: usize, local: Local, ty: &Type, leave: Expr) -> Expr {
        let at = leave.span;
        if !self.vars.unify(ty, &unit()) {
            let shown = self.show(ty);
            return self.reject(
                at,
                format!("this `break` needs a value of type {shown}, as its block has"),
                "write `break 'label value`",
            );
        }
        self.loops[target].left = true;
        self.loops[target].valued = true;
        let Expr { kind, .. } = leave;
        let statements = vec![Stmt::Expr(assigned(local, nothing(at)))];
        let leave = expr(kind, Type::Never, at);
        let kind = ExprKind::Block(statements, Some(Box::new(leave)));
        expr(kind, Type::Never, at)
    }

    pub(super) fn continue_expr(&mut self, node: &syn::ExprContinue) -> Expr {
        let at = node.continue_token.span;
        let Some(target) = self.target(node.label.as_ref(), "continue", at) else {
            return self.poison(at);
        };
        if let (Around::Block, Some(label)) = (self.loops[target].kind, &node.label) {
            let name = label.ident.to_string();
            return self.reject(
                label.span(),
                format!("`continue` is for loops, `'{name}` is a block"),
                format!("write `break '{name}`"),
            );
        }
        let label = self.loops[target].label;
        expr(ExprKind::Continue(label), Type::Never, at)
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

/// `local = value`
fn assigned(local: Local, value: Expr) -> Expr {
    let at = value.span;
    let place = Place {
        local,
        fields: Vec::new(),
    };
    expr(ExprKind::Assign(place, Box::new(value)), unit(), at)
}

/// The same where each way through the value ends, so that what leaves it on one way does not concern the others.
fn assigned_at_ends(local: Local, value: Expr) -> Expr {
    let Expr { kind, ty, span } = value;
    if ty == Type::Never {
        return expr(kind, ty, span);
    }
    let at_ends = |value: Box<Expr>| Box::new(assigned_at_ends(local, *value));
    match kind {
        ExprKind::Block(mut statements, Some(value)) => {
            statements.push(Stmt::Expr(assigned_at_ends(local, *value)));
            expr(ExprKind::Block(statements, None), unit(), span)
        }
        ExprKind::If(condition, then, otherwise) => {
            let kind = ExprKind::If(condition, at_ends(then), at_ends(otherwise));
            expr(kind, unit(), span)
        }
        ExprKind::Match(value, mut arms) => {
            for arm in &mut arms {
                let body = std::mem::replace(&mut arm.body, nothing(span));
                arm.body = assigned_at_ends(local, body);
            }
            expr(ExprKind::Match(value, arms), unit(), span)
        }
        kind => assigned(local, expr(kind, ty, span)),
    }
}

/// What is left by `break`, and then the value of the variable that `break value` assigns.
pub(super) fn valued((local, ty): (Local, Type), left: Expr, at: Span) -> Expr {
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
        ExprKind::Block(vec![declare, Stmt::Expr(left)], Some(Box::new(tail))),
        ty,
        at,
    )
}
