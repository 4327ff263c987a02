//! Uses of an array after it was moved (only passing it on to a by-value parameter moves it), and of a variable
//! that has no value yet.

use super::Checker;
use crate::sorted::{SortedMap, SortedSet};
use crate::typed::{Expr, ExprKind, Label, Local, Pattern, Stmt};

/// What has been moved, and whether this place is reached at all.
#[derive(Clone, Default)]
struct State {
    moved: SortedSet<Local>,
    left: bool,
}

impl State {
    /// Where two ways meet.
    fn join(self, other: State) -> State {
        match (self.left, other.left) {
            (true, _) => other,
            (_, true) => self,
            (false, false) => State {
                moved: &self.moved | &other.moved,
                left: false,
            },
        }
    }
}

struct Walk<'w, 'a> {
    checker: &'w mut Checker<'a>,
    /// Locals by the closure they were declared in; a move from an outer one happens on each run.
    outer: SortedSet<Local>,
    /// Locals declared without a value.
    late: SortedSet<Local>,
    state: State,
    breaks: SortedMap<u32, State>,
    again: SortedMap<u32, State>,
}

impl Checker<'_> {
    pub(super) fn check_moves(&mut self, body: &mut Expr) {
        if self.failed {
            return;
        }
        let mut walk = Walk {
            checker: self,
            outer: SortedSet::new(),
            late: SortedSet::new(),
            state: State::default(),
            breaks: SortedMap::new(),
            again: SortedMap::new(),
        };
        walk.expr(body);
    }
}

impl Walk<'_, '_> {
    fn expr(&mut self, at: &mut Expr) {
        match &mut at.kind {
            ExprKind::Local(local) => {
                if self.state.moved.contains(local) && !self.state.left {
                    let name = self.checker.locals[local.0 as usize].0.clone();
                    let (message, help) = match self.late.contains(local) {
                        true => (
                            format!("`{name}` may be used before it has a value"),
                            "assign it on every way here".to_string(),
                        ),
                        false => (
                            format!("`{name}` is used after it was moved"),
                            format!("pass `{name}.clone()` to the function that takes it by value"),
                        ),
                    };
                    self.checker.error(at.span, message, help);
                    self.state.moved.remove(local);
                }
            }
            ExprKind::Call(site, args) => {
                let template = self.checker.calls.get(*site).map(|call| call.template);
                let mut moved = Vec::new();
                for (position, arg) in args.iter_mut().enumerate() {
                    self.expr(arg);
                    let by_value = template.is_some_and(|template| {
                        let function = &self.checker.cx.syntax.functions[template];
                        let ty = function
                            .parameters
                            .get(position)
                            .and_then(|p| p.ty.as_ref());
                        !matches!(ty, Some(syn::Type::Reference(_)) | None)
                    });
                    if let (true, ExprKind::Local(local), true) =
                        (by_value, &arg.kind, arg.ty.has_array())
                    {
                        if self.outer.contains(local) {
                            let name = self.checker.locals[local.0 as usize].0.clone();
                            self.checker.error(
                                arg.span,
                                format!("a closure cannot move `{name}`, which it captures"),
                                format!("pass `{name}.clone()`"),
                            );
                        }
                        moved.push(*local);
                    }
                }
                self.state.moved.extend(moved);
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                if place.fields.is_empty() {
                    self.state.moved.remove(&place.local);
                }
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let before = self.state.clone();
                self.expr(then);
                let then = std::mem::replace(&mut self.state, before);
                self.expr(otherwise);
                self.meet(then);
            }
            ExprKind::Lazy { left, right, .. } => {
                self.expr(left);
                let before = self.state.clone();
                self.expr(right);
                self.meet(before);
            }
            ExprKind::Match(scrutinee, arms) => {
                self.expr(scrutinee);
                let before = self.state.clone();
                let mut after: Option<State> = None;
                for arm in arms {
                    self.state = before.clone();
                    arm.guard.iter_mut().for_each(|guard| self.expr(guard));
                    self.expr(&mut arm.body);
                    let state = std::mem::take(&mut self.state);
                    after = Some(match after {
                        Some(other) => other.join(state),
                        None => state,
                    });
                }
                self.state = after.unwrap_or(before);
            }
            ExprKind::While {
                label,
                condition,
                body,
            } => {
                let label = *label;
                let endless = matches!(condition.kind, ExprKind::Constant(_));
                let mut after = None;
                // The second round meets what the first has moved.
                for _ in 0..2 {
                    self.expr(condition);
                    after = Some(self.state.clone());
                    self.expr(body);
                    self.round(label);
                }
                let mut after = after.unwrap_or_default();
                after.left |= endless;
                self.state = after;
                self.leave(label);
            }
            ExprKind::For(it) => {
                let label = it.label;
                self.expr(&mut it.range.start);
                self.expr(&mut it.range.end);
                it.range
                    .steps
                    .iter_mut()
                    .for_each(|step| self.expr(&mut step.by));
                let before = self.state.clone();
                for _ in 0..2 {
                    self.expr(&mut it.body);
                    self.round(label);
                }
                self.meet(before);
                self.leave(label);
            }
            ExprKind::Labelled(label, body) => {
                self.expr(body);
                self.leave(*label);
            }
            ExprKind::Break(label) => {
                let state = self.state.clone();
                let known = self.breaks.remove(&label.0).unwrap_or(State {
                    left: true,
                    ..State::default()
                });
                self.breaks.insert(label.0, known.join(state));
                self.state.left = true;
            }
            ExprKind::Continue(label) => {
                let state = self.state.clone();
                let known = self.again.remove(&label.0).unwrap_or(State {
                    left: true,
                    ..State::default()
                });
                self.again.insert(label.0, known.join(state));
                self.state.left = true;
            }
            ExprKind::Return(value) => {
                value.iter_mut().for_each(|value| self.expr(value));
                self.state.left = true;
            }
            ExprKind::Closure(closure) => {
                let before = self.state.clone();
                let declared = declared(&mut closure.body);
                let all = (0..self.checker.locals.len() as u32).map(Local);
                let outer: SortedSet<Local> = all.filter(|l| !declared.contains(l)).collect();
                let outer = std::mem::replace(&mut self.outer, outer);
                self.expr(&mut closure.body);
                self.outer = outer;
                self.state = before;
            }
            ExprKind::Block(statements, tail) => {
                for statement in statements {
                    match statement {
                        Stmt::Let {
                            pattern,
                            value: Some(value),
                        } => {
                            self.expr(value);
                            self.bound(pattern);
                        }
                        Stmt::Expr(value) => self.expr(value),
                        Stmt::Let {
                            pattern: Pattern::Bind { local, .. },
                            value: None,
                        } => {
                            // Without a value it is as if moved already.
                            self.late.insert(*local);
                            self.state.moved.insert(*local);
                        }
                        Stmt::Let { value: None, .. } => {}
                    }
                }
                tail.iter_mut().for_each(|tail| self.expr(tail));
            }
            _ => at.for_each_child(&mut |child| self.expr(child)),
        }
    }

    /// What a pattern binds has a value again, in each round of a loop.
    fn bound(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind { local, inner, .. } => {
                self.state.moved.remove(local);
                inner.iter().for_each(|inner| self.bound(inner));
            }
            Pattern::Tuple(fields) => fields.iter().for_each(|field| self.bound(field)),
            _ => {}
        }
    }

    fn meet(&mut self, other: State) {
        let own = std::mem::take(&mut self.state);
        self.state = own.join(other);
    }

    /// The end of a loop's body: `continue` leads here too.
    fn round(&mut self, label: Label) {
        if let Some(state) = self.again.remove(&label.0) {
            self.meet(state);
        }
    }

    /// The end of a loop: `break` leads here too.
    fn leave(&mut self, label: Label) {
        if let Some(state) = self.breaks.remove(&label.0) {
            self.meet(state);
        }
    }
}

/// The locals that a body binds by `let`.
fn declared(body: &mut Expr) -> SortedSet<Local> {
    let mut found = SortedSet::new();
    collect(body, &mut found);
    found
}

fn collect(at: &mut Expr, found: &mut SortedSet<Local>) {
    if let ExprKind::Block(statements, _) = &at.kind {
        for statement in statements {
            if let Stmt::Let {
                pattern: Pattern::Bind { local, .. },
                ..
            } = statement
            {
                found.insert(*local);
            }
        }
    }
    at.for_each_child(&mut |child| collect(child, found));
}
