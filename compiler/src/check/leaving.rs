//! Operands that may leave by `break`, `continue`, `return` or `?`: bound by `let` before what they are operands of, which is
//! not evaluated then. Blocks look after each statement whether they have been left, other expressions do not.
//! (A-normal form, for these alone.)

use super::{Checker, expr};
use crate::sorted::SortedSet;
use crate::typed::{Arm, Expr, ExprKind, Local, Pattern, Stmt, Type};

/// Where an expression may go: out of loops and blocks, or of its function, which is `None`.
type Exits = SortedSet<Option<u32>>;

impl Checker<'_> {
    /// After this only statements, values of blocks and sides of branches leave.
    pub(super) fn bind_leaving(&mut self, at: &mut Expr) -> Exits {
        let mut exits = Vec::new();
        at.for_each_child(&mut |child| exits.push(self.bind_leaving(child)));
        self.bind_conditions(at, &exits);
        let operands = operand_count(&at.kind);
        let leaving = exits
            .iter()
            .take(operands)
            .rposition(|exits| !exits.is_empty());
        if let Some(last) = leaving {
            self.bind_operands(at, last);
        }
        let mut all: Exits = exits.into_iter().flatten().collect();
        match &at.kind {
            ExprKind::Return(_) => {
                all.insert(None);
            }
            ExprKind::Break(label) | ExprKind::Continue(label) => {
                all.insert(Some(label.0));
            }
            ExprKind::While { label, .. } | ExprKind::Labelled(label, _) => {
                all.remove(&Some(label.0));
            }
            ExprKind::For(it) => {
                all.remove(&Some(it.label.0));
            }
            ExprKind::Closure(_) => all.clear(),
            _ => {}
        }
        all
    }

    /// Binds the operands of an expression up to the last one that may leave.
    fn bind_operands(&mut self, at: &mut Expr, last: usize) {
        let mut assigned: Vec<SortedSet<Local>> = Vec::new();
        at.for_each_child(&mut |child| {
            assigned.push(assigns(child));
        });
        let mut bound = Vec::new();
        let mut position = 0;
        at.for_each_child(&mut |child| {
            let here = position;
            position += 1;
            let stays = match &child.kind {
                ExprKind::Constant(_) | ExprKind::Closure(_) => true,
                // Unless it has another value by then.
                ExprKind::Local(local) => {
                    let later = assigned.iter().take(last + 1).skip(here + 1);
                    !later.into_iter().any(|locals| locals.contains(local))
                }
                _ => false,
            };
            if here <= last && !stays {
                self.bind_value(child, &mut bound);
            }
        });
        let (ty, span) = (at.ty.clone(), at.span);
        let kind = std::mem::replace(&mut at.kind, ExprKind::Tuple(Vec::new()));
        at.kind = ExprKind::Block(bound, Some(Box::new(expr(kind, ty, span))));
    }

    /// Binds conditions that may leave where they are evaluated: of a round, and of an arm.
    fn bind_conditions(&mut self, at: &mut Expr, exits: &[Exits]) {
        let (ty, span) = (at.ty.clone(), at.span);
        match &mut at.kind {
            ExprKind::While {
                label,
                condition,
                body,
            } if !exits[0].is_empty() => {
                let truth = super::control::truth(condition.span);
                let mut condition = std::mem::replace(&mut **condition, truth);
                let mut bound = Vec::new();
                self.bind_value(&mut condition, &mut bound);
                let leave = expr(ExprKind::Break(*label), Type::Never, span);
                let nothing = super::nothing(span);
                let goes_on = std::mem::replace(&mut **body, nothing);
                let sides = [condition, goes_on, leave].map(Box::new);
                let [condition, goes_on, leave] = sides;
                let round = expr(ExprKind::If(condition, goes_on, leave), super::unit(), span);
                body.kind = ExprKind::Block(bound, Some(Box::new(round)));
            }
            ExprKind::Match(value, arms) => {
                let mut child = 0;
                let mut leave = Vec::new();
                for arm in arms.iter() {
                    leave.push(arm.guard.is_some() && !exits[child + 1].is_empty());
                    child += 1 + usize::from(arm.guard.is_some());
                }
                if leave.contains(&true) {
                    let mut bound = Vec::new();
                    self.bind_value(value, &mut bound);
                    let arms = self.arms_that_leave(value, std::mem::take(arms), &leave, &ty);
                    let chosen = expr(ExprKind::Match(value.clone(), arms), ty, span);
                    at.kind = ExprKind::Block(bound, Some(Box::new(chosen)));
                }
            }
            _ => {}
        }
    }

    /// Arms whose guards do not leave: where one does, its arm asks by itself, and the arms after it stand in it, too.
    fn arms_that_leave(
        &mut self,
        value: &Expr,
        mut arms: Vec<Arm>,
        leave: &[bool],
        ty: &Type,
    ) -> Vec<Arm> {
        let Some(first) = leave.iter().position(|leave| *leave) else {
            return arms;
        };
        let rest = arms.split_off(first + 1);
        let rest = self.arms_that_leave(value, rest, &leave[first + 1..], ty);
        let rest = expr(
            ExprKind::Match(Box::new(value.clone()), rest),
            ty.clone(),
            value.span,
        );
        if let Some(arm) = arms.last_mut()
            && let Some(mut guard) = arm.guard.take()
        {
            let mut bound = Vec::new();
            self.bind_value(&mut guard, &mut bound);
            let nothing = super::nothing(value.span);
            let body = std::mem::replace(&mut arm.body, nothing);
            let span = body.span;
            let sides = [guard, body, rest.clone()].map(Box::new);
            let [guard, body, otherwise] = sides;
            let chosen = expr(ExprKind::If(guard, body, otherwise), ty.clone(), span);
            let kind = ExprKind::Block(bound, Some(Box::new(chosen)));
            arm.body = expr(kind, ty.clone(), span);
        }
        arms.push(Arm {
            pattern: Pattern::Wild,
            guard: None,
            body: rest,
        });
        arms
    }

    /// Binds a value to a variable without a name, which stands in its place.
    fn bind_value(&mut self, at: &mut Expr, bound: &mut Vec<Stmt>) {
        let local = self.fresh_local("", at.span);
        let (ty, span) = (at.ty.clone(), at.span);
        let read = expr(ExprKind::Local(local), ty.clone(), span);
        bound.push(Stmt::Let {
            pattern: Pattern::Bind {
                local,
                name: String::new(),
                ty,
                inner: None,
            },
            value: Some(std::mem::replace(at, read)),
        });
    }
}

/// How many of the children of an expression are evaluated before it, whatever their values.
fn operand_count(kind: &ExprKind) -> usize {
    match kind {
        ExprKind::Block(..)
        | ExprKind::Labelled(..)
        | ExprKind::Closure(_)
        | ExprKind::While { .. } => 0,
        ExprKind::If(..) | ExprKind::Lazy { .. } | ExprKind::Match(..) => 1,
        ExprKind::For(it) => 2 + it.range.steps.len(),
        ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Tuple(_)
        | ExprKind::Field(..)
        | ExprKind::Option(_)
        | ExprKind::Variant(..)
        | ExprKind::Range(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Math(..)
        | ExprKind::Number(..)
        | ExprKind::Cast(_)
        | ExprKind::Bitcast(_)
        | ExprKind::Call(..)
        | ExprKind::CallClosure(..)
        | ExprKind::Array(..)
        | ExprKind::Elementwise(..)
        | ExprKind::Index(..)
        | ExprKind::Break(_)
        | ExprKind::Continue(_)
        | ExprKind::Return(_)
        | ExprKind::Assign(..)
        | ExprKind::Assert(..) => usize::MAX,
    }
}

/// The variables that an expression assigns.
fn assigns(at: &mut Expr) -> SortedSet<Local> {
    let mut locals = SortedSet::new();
    if let ExprKind::Assign(place, _) = &at.kind {
        locals.insert(place.local);
    }
    at.for_each_child(&mut |child| locals.extend(assigns(child)));
    locals
}

/// Whether an expression assigns or leaves.
pub(super) fn has_effects(at: &mut Expr) -> bool {
    let mut found = matches!(
        at.kind,
        ExprKind::Assign(..) | ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Return(_)
    );
    at.for_each_child(&mut |child| found = found || has_effects(child));
    found
}
