//! Simplification by conditions that hold, and dead code elimination.

use super::Predication;
use crate::ir::QuickMap;
use crate::plan::uses;
use crate::plan::{Op, Statement, Value};
use crate::scalar::{Binary, Scalar, Unary};

/// Simplifies statements by known conditions.
pub(super) struct Assumed {
    pub(super) truths: QuickMap<Value, bool>,
    /// The conjunction of the assumptions.
    holds: Value,
    /// Values that are equal to earlier ones.
    same: QuickMap<Value, Value>,
}

impl Assumed {
    pub(super) fn new(truths: QuickMap<Value, bool>, holds: Value) -> Assumed {
        Assumed {
            truths,
            holds,
            same: QuickMap::default(),
        }
    }

    pub(super) fn list(&mut self, statements: &mut Vec<Statement>) {
        for statement in statements {
            match statement {
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.list(then);
                    self.list(otherwise);
                }
                Statement::Loop { test, body, .. } => {
                    self.list(test);
                    self.list(body);
                }
                Statement::Fold { body, folds, .. } => {
                    self.list(body);
                    folds
                        .iter_mut()
                        .for_each(|fold| self.list(&mut fold.combine));
                }
                Statement::Let { .. }
                | Statement::Load { .. }
                | Statement::Store { .. }
                | Statement::Check { .. } => {}
            }
            statement.map_operands(&mut |value| self.same.get(&value).copied().unwrap_or(value));
            match statement {
                Statement::Let { value, op } => self.operation(*value, op),
                Statement::Load { guard, .. } => {
                    let known = guard.is_some_and(|guard| self.truths.get(&guard) == Some(&true));
                    if known {
                        *guard = Some(self.holds);
                    }
                }
                _ => {}
            }
        }
    }

    fn operation(&mut self, value: Value, op: &mut Op) {
        let truth = |value: Value| self.truths.get(&value).copied();
        let (known, same) = match *op {
            Op::Unary(Unary::Not, a) => (truth(a).map(|truth| !truth), None),
            Op::Binary(Binary::And, a, b) => match (truth(a), truth(b)) {
                (Some(false), _) | (_, Some(false)) => (Some(false), None),
                (Some(true), known) => (known, Some(b)),
                (known, Some(true)) => (known, Some(a)),
                _ => (None, None),
            },
            Op::Binary(Binary::Or, a, b) => match (truth(a), truth(b)) {
                (Some(true), _) | (_, Some(true)) => (Some(true), None),
                (Some(false), known) => (known, Some(b)),
                (known, Some(false)) => (known, Some(a)),
                _ => (None, None),
            },
            Op::Select(condition, a, b) => match truth(condition) {
                Some(true) => (None, Some(a)),
                Some(false) => (None, Some(b)),
                None => (None, None),
            },
            _ => (None, None),
        };
        if let Some(known) = truth(value).or(known) {
            self.truths.insert(value, known);
            *op = Op::Constant(Scalar::bool(known));
        } else if let Some(same) = same {
            self.same.insert(value, same);
        }
    }
}

/// Removes dead values.
pub(super) fn sweep(statements: &mut Vec<Statement>) {
    loop {
        let used = uses::counts(statements);
        if !without(statements, &|value| used.contains_key(&value)) {
            return;
        }
    }
}

/// Removes unused values; whether there were any.
fn without(statements: &mut Vec<Statement>, is_used: &dyn Fn(Value) -> bool) -> bool {
    let count = statements.len();
    statements.retain(|statement| match statement {
        Statement::Let { value, .. } | Statement::Load { value, .. } => is_used(*value),
        _ => true,
    });
    let mut dropped = statements.len() < count;
    for statement in statements {
        match statement {
            Statement::If {
                then, otherwise, ..
            } => {
                dropped |= without(then, is_used);
                dropped |= without(otherwise, is_used);
            }
            Statement::Loop { test, body, .. } => {
                dropped |= without(test, is_used);
                dropped |= without(body, is_used);
            }
            Statement::Fold { body, .. } => dropped |= without(body, is_used),
            Statement::Let { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Check { .. } => {}
        }
    }
    dropped
}

impl Predication<'_> {
    /// Closes the assumptions under their operators: `a | b` without `a` is `b`.
    pub(super) fn follow(&self, assumed: &mut Assumed) {
        loop {
            let mut found = Vec::new();
            for (&value, &truth) in &assumed.truths {
                match self.operations.get(&value) {
                    Some(&Op::Unary(Unary::Not, of)) => found.push((of, !truth)),
                    Some(&Op::Binary(Binary::Or, a, b)) if truth => {
                        let pairs = [(a, b), (b, a)].into_iter();
                        let other = pairs.filter(|&(a, _)| self.is_false(a, assumed));
                        found.extend(other.map(|(_, b)| (b, true)));
                    }
                    _ => {}
                }
            }
            let count = assumed.truths.len();
            assumed.truths.extend(found);
            if assumed.truths.len() == count {
                return;
            }
        }
    }

    fn is_false(&self, value: Value, assumed: &Assumed) -> bool {
        let known = |value: &Value| assumed.truths.get(value).copied();
        let opposite = self.opposite(value);
        known(&value) == Some(false) || opposite.is_some_and(|of| known(&of) == Some(true))
    }
}
