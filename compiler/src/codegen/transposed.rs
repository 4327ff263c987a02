//! Loads of an elementwise body that run along another axis of the domain than its last: neighbouring points find what
//! they read a row apart. Whoever works on a tile of both axes can read along the one, and store along the other.

use super::affine::Operations;
use crate::plan::affine::Polynomial;
use crate::plan::{Statement, Value};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// Such loads of a body, all along the same axis.
pub(super) struct Transposed {
    /// Position of the axis.
    pub(super) axis: usize,
    pub(super) loads: Vec<Load>,
}

/// A load whose place and conditions depend on nothing but the point.
pub(super) struct Load {
    pub(super) value: Value,
    pub(super) buffer: usize,
    pub(super) index: Value,
    /// The index, of coordinates and scalars.
    pub(super) place: Polynomial,
    /// What holds wherever it is made: its guard, and conditions of the branches around it.
    pub(super) conditions: Vec<Condition>,
}

/// A value that must be so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) value: Value,
    pub(super) holds: bool,
}

impl Load {
    /// Whether it always gives what another one gives.
    pub(super) fn is_like(&self, other: &Load) -> bool {
        self.buffer == other.buffer
            && self.place == other.place
            && self.conditions == other.conditions
    }
}

impl Transposed {
    /// Those of a body over `vars`, where all else is known that `known` says: of several axes those that most bytes are
    /// read along.
    pub(super) fn find(
        operations: &impl Operations,
        body: &[Statement],
        vars: &[Value],
        known: &dyn Fn(Value) -> bool,
        leaf: &dyn Fn(usize) -> Leaf,
    ) -> Option<Transposed> {
        let (_, outer) = vars.split_last()?;
        let mut search = Search {
            operations,
            vars,
            known,
            found: Vec::new(),
        };
        search.list(body, &mut Vec::new());
        let mut found: Vec<Transposed> = (0..outer.len())
            .map(|axis| Transposed {
                axis,
                loads: Vec::new(),
            })
            .collect();
        for (axis, load) in search.found {
            found[axis].loads.push(load);
        }
        found.retain(|one| !one.loads.is_empty());
        // Of axes that are alike the innermost.
        found.into_iter().max_by_key(|one| {
            let bytes = one.loads.iter().map(|load| leaf(load.buffer).bytes());
            (bytes.sum::<usize>(), one.axis)
        })
    }
}

struct Search<'a, O> {
    operations: &'a O,
    vars: &'a [Value],
    known: &'a dyn Fn(Value) -> bool,
    /// With their axes.
    found: Vec<(usize, Load)>,
}

impl<O: Operations> Search<'_, O> {
    fn list(&mut self, statements: &[Statement], conditions: &mut Vec<Condition>) {
        for statement in statements {
            match statement {
                Statement::Load {
                    value,
                    buffer,
                    index,
                    guard,
                } => {
                    let place = Polynomial::of(self.operations, *index);
                    let Some(axis) = self.axis(&place) else {
                        continue;
                    };
                    let mut conditions = conditions.clone();
                    conditions.extend(guard.map(|value| Condition { value, holds: true }));
                    let mut seen = SortedSet::new();
                    if conditions
                        .iter()
                        .all(|one| self.is_known(one.value, &mut seen))
                    {
                        let load = Load {
                            value: *value,
                            buffer: *buffer,
                            index: *index,
                            place,
                            conditions,
                        };
                        self.found.push((axis, load));
                    }
                }
                Statement::If {
                    condition,
                    then,
                    otherwise,
                    ..
                } => {
                    for (list, holds) in [(then, true), (otherwise, false)] {
                        let value = *condition;
                        conditions.push(Condition { value, holds });
                        self.list(list, conditions);
                        conditions.pop();
                    }
                }
                // What is in loops is read again and again.
                Statement::Loop { .. } | Statement::Fold { .. } => {}
                Statement::Let { .. } | Statement::Store { .. } | Statement::Check { .. } => {}
            }
        }
    }

    /// The axis that an index runs along, if that is not the last.
    fn axis(&self, place: &Polynomial) -> Option<usize> {
        let (last, outer) = self.vars.split_last()?;
        let known = |value| self.vars.contains(&value) || (self.known)(value);
        let linear = place.terms().all(|(product, _)| {
            product
                .iter()
                .filter(|value| self.vars.contains(value))
                .count()
                <= 1
        });
        let strided = place.values().any(|value| value == *last) && !runs_along(place, *last);
        if !linear || !strided || !place.values().all(known) {
            return None;
        }
        outer.iter().rposition(|var| runs_along(place, *var))
    }

    /// Whether a value is computed of the point alone.
    fn is_known(&self, value: Value, seen: &mut SortedSet<Value>) -> bool {
        if self.vars.contains(&value) || (self.known)(value) || !seen.insert(value) {
            return true;
        }
        (self.operations.operation(value)).is_some_and(|op| {
            op.operands()
                .into_iter()
                .all(|operand| self.is_known(operand, seen))
        })
    }
}

/// Whether one more of a coordinate is the next element, or the one before.
fn runs_along(place: &Polynomial, var: Value) -> bool {
    place.is_unit_in(var) || place.scaled(u64::MAX).is_unit_in(var)
}

/// Statements that compute the conditions of loads, in order, out of the branches that they stand in.
pub(super) fn computing<'s>(
    body: &'s [Statement],
    operations: &impl Operations,
    conditions: impl Iterator<Item = Value>,
) -> Vec<&'s Statement> {
    let mut needed = SortedSet::new();
    let mut open: Vec<Value> = conditions.collect();
    while let Some(value) = open.pop() {
        if needed.insert(value)
            && let Some(op) = operations.operation(value)
        {
            open.extend(op.operands());
        }
    }
    let mut found = Vec::new();
    collect(body, &needed, &mut found);
    found
}

fn collect<'s>(list: &'s [Statement], needed: &SortedSet<Value>, found: &mut Vec<&'s Statement>) {
    for statement in list {
        match statement {
            Statement::Let { value, .. } if needed.contains(value) => found.push(statement),
            Statement::If {
                then, otherwise, ..
            } => {
                collect(then, needed, found);
                collect(otherwise, needed, found);
            }
            _ => {}
        }
    }
}
