//! What statements use and define, and roughly what they cost.

use crate::plan::body::{Op, Statement, Value};
use crate::sorted::{SortedMap, SortedSet};
use crate::visits;
use std::borrow::Borrow;

/// Values used but not defined by `statements`.
pub(crate) fn free(statements: &[Statement]) -> SortedSet<Value> {
    let mut found = Found::default();
    found.block(statements);
    let used = found.used.counts.into_keys();
    used.filter(|value| !found.defined.contains(value))
        .collect()
}

/// Values that what follows `statements` can see.
pub(crate) fn defined(statements: &[Statement]) -> Vec<Value> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::Let { value, .. } | Statement::Load { value, .. } => found.push(*value),
            Statement::If { results, .. } => found.extend(results.iter().map(|join| join.result)),
            Statement::Loop { state, .. } => found.extend(state.iter().map(|carry| carry.state)),
            Statement::Fold { folds, .. } => {
                found.extend(folds.iter().flat_map(|fold| &fold.results))
            }
            Statement::Store { .. } | Statement::Check { .. } => {}
        }
    }
    found
}

/// Those of some statements that values need which they define, in order: a backward slice (Weiser 1981).
pub(crate) fn backward_slice(
    statements: &[&Statement],
    mut wanted: SortedSet<Value>,
) -> Vec<Statement> {
    let mut found = Vec::new();
    for &statement in statements.iter().rev() {
        let one = std::slice::from_ref(statement);
        if defined(one).iter().any(|value| wanted.contains(value)) {
            wanted.extend(free(one));
            found.push(statement.clone());
        }
    }
    found.reverse();
    found
}

/// How often each value is used in `statements`.
pub(crate) fn counts(statements: &[Statement]) -> SortedMap<Value, usize> {
    let mut found = Found::default();
    found.block(statements);
    found.used.counts
}

/// How often one value is used in `statements`.
pub(crate) fn count(statements: &[Statement], value: Value) -> usize {
    counts(statements).get(&value).copied().unwrap_or(0)
}

/// A set that counts.
#[derive(Default)]
struct Counted {
    counts: SortedMap<Value, usize>,
}

impl Counted {
    fn insert(&mut self, value: Value) {
        *self.counts.entry(value).or_default() += 1;
    }

    fn extend(&mut self, values: impl IntoIterator<Item = impl Borrow<Value>>) {
        for value in values {
            self.insert(*value.borrow());
        }
    }
}

#[derive(Default)]
struct Found {
    used: Counted,
    defined: SortedSet<Value>,
}

impl Found {
    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        visits::count();
        match statement {
            Statement::Let { value, op } => {
                self.used.extend(op.operands());
                self.defined.insert(*value);
            }
            Statement::Load {
                value,
                index,
                guard,
                ..
            } => {
                self.used.insert(*index);
                self.used.extend(guard);
                self.defined.insert(*value);
            }
            Statement::Store { index, value, .. } => self.used.extend([*index, *value]),
            Statement::Check {
                condition, values, ..
            } => {
                self.used.insert(*condition);
                self.used.extend(values);
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.used.insert(*condition);
                self.block(then);
                self.block(otherwise);
                for join in results {
                    self.used.extend([join.then, join.otherwise]);
                    self.defined.insert(join.result);
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                self.used.insert(*condition);
                for carry in state {
                    self.used.extend([carry.initial, carry.next]);
                    self.defined.insert(carry.state);
                }
                self.block(test);
                self.block(body);
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                self.used.extend(extents);
                self.defined.extend(vars);
                self.block(body);
                for fold in folds {
                    self.used.extend(&fold.elements);
                    self.used.extend(&fold.combined);
                    self.used.extend(fold.initial.iter().flatten());
                    self.defined.extend(&fold.left);
                    self.defined.extend(&fold.right);
                    self.defined.extend(&fold.results);
                    self.block(&fold.combine);
                }
            }
        }
    }
}

/// Whether `statements` may report a failure.
pub(crate) fn checks(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Let { .. } | Statement::Load { .. } | Statement::Store { .. } => false,
        Statement::Check { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => checks(then) || checks(otherwise),
        Statement::Loop { test, body, .. } => checks(test) || checks(body),
        Statement::Fold { body, folds, .. } => {
            checks(body) || folds.iter().any(|fold| checks(&fold.combine))
        }
    })
}

/// Whether `statements` store anything.
pub(crate) fn stores(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Let { .. } | Statement::Load { .. } | Statement::Check { .. } => false,
        Statement::Store { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => stores(then) || stores(otherwise),
        Statement::Loop { test, body, .. } => stores(test) || stores(body),
        Statement::Fold { body, .. } => stores(body),
    })
}

/// Whether `statements` have a loop.
pub(crate) fn loops(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Let { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Check { .. } => false,
        Statement::If {
            then, otherwise, ..
        } => loops(then) || loops(otherwise),
        Statement::Loop { .. } => true,
        Statement::Fold { body, folds, .. } => {
            loops(body) || folds.iter().any(|fold| loops(&fold.combine))
        }
    })
}

/// Operations, about; a loop counts as 16 rounds.
pub(crate) fn cost(statements: &[Statement]) -> u64 {
    let one = |statement: &Statement| match statement {
        Statement::Let { op, .. } => match op {
            Op::Math(f, _) if f.is_relaxed() => 1,
            Op::Math(..) | Op::Foreign(..) => 12,
            Op::Constant(_) => 0,
            Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Cast(..) | Op::Bitcast(..) => 1,
        },
        Statement::Load { .. } | Statement::Store { .. } => 2,
        Statement::Check { .. } => 1,
        Statement::If {
            then, otherwise, ..
        } => cost(then).saturating_add(cost(otherwise)).saturating_add(2),
        Statement::Loop { test, body, .. } => {
            cost(test).saturating_add(cost(body)).saturating_mul(16)
        }
        Statement::Fold { body, folds, .. } => {
            let combine = folds.iter().map(|fold| cost(&fold.combine));
            combine
                .fold(cost(body), u64::saturating_add)
                .saturating_mul(16)
        }
    };
    statements.iter().map(one).fold(0, u64::saturating_add)
}
