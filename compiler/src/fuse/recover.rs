//! Speculation with recovery: a scan that may fail is computed without failures, and beside it whether it would have failed.
//!
//! In: a scan that may fail, with a demand that no condition tells. Out: one that cannot fail, with one more component: whether
//! no element up to here fails. A reader takes the value where that holds; where it does not, it folds the elements
//! itself, and reports what fails there. So failures are those of lazy evaluation, and no element is folded anew for each
//! reader unless something has failed.

use super::asked::unfailing;
use super::scans::{prefix, stored};
use super::sources::fallible;
use crate::ir::{Id, Node, Program, Type};
use crate::pass::anywhere::if_holds;
use crate::plan::MOST_LEAVES;
use crate::scalar::{Binary, Leaf};
use std::collections::HashMap;

/// A scan that cannot fail, in the place of one that may, and the component that tells.
#[derive(Clone, Copy)]
pub(super) struct Recovered {
    bundle: Id,
    succeeded: u32,
}

/// See the module; nothing if it fails where elements are combined, or need not end.
pub(super) fn recover(program: &mut Program, bundle: Id) -> Option<Recovered> {
    let Node::Scan {
        extents,
        vars,
        mut elements,
        mut left,
        mut right,
        mut combined,
    } = program.node(bundle).clone()
    else {
        return None;
    };
    let fails = combined.iter().any(|&id| fallible(program, id));
    if fails || elements.len() >= MOST_LEAVES {
        return None;
    }
    let succeeded = elements.len() as u32;
    let mut all = program.bool(true);
    let mut known = HashMap::new();
    for &element in &elements {
        let own = succeeds(program, element, &mut known)?;
        all = both(program, all, own);
    }
    let mut done = HashMap::new();
    for element in &mut elements {
        *element = unfailing(program, *element, &mut done);
    }
    elements.push(all);
    let [a, b] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::Bool)));
    let [x, y] = [a, b].map(|var| program.add(Node::Variable(var)));
    left.push(a);
    right.push(b);
    combined.push(program.binary(Binary::And, x, y));
    let scan = program.add(Node::Scan {
        extents,
        vars,
        elements,
        left,
        right,
        combined,
    });
    program.keep_labels(bundle, scan);
    Some(Recovered {
        bundle: scan,
        succeeded,
    })
}

impl Recovered {
    /// An element of the scan, as its reader evaluates it.
    pub(super) fn read(self, program: &mut Program, bundle: Id, k: u32, indices: &[Id]) -> Id {
        let [value, succeeded] = [k, self.succeeded].map(|k| {
            let array = program.add(Node::Project(self.bundle, k));
            let array = stored(program, array);
            let reason = "elements of a scan are read where it is not at the time".to_owned();
            program.reasons.entry(array).or_insert(reason);
            let indices = indices.to_vec();
            program.add(Node::Index { array, indices })
        });
        let again = prefix(program, bundle, k, indices);
        let chosen = program.add(Node::If {
            condition: succeeded,
            then: vec![value],
            otherwise: vec![again],
        });
        program.add(Node::Project(chosen, 0))
    }
}

/// Whether the evaluation of a scalar reports no failure, told without any; nothing if it need not end.
fn succeeds(program: &mut Program, id: Id, done: &mut HashMap<Id, Option<Id>>) -> Option<Id> {
    if !program.may_fail(id) {
        return Some(program.bool(true));
    }
    if let Some(&known) = done.get(&id) {
        return known;
    }
    let known = told(program, id, done);
    done.insert(id, known);
    known
}

fn told(program: &mut Program, id: Id, done: &mut HashMap<Id, Option<Id>>) -> Option<Id> {
    let plain = |program: &mut Program, id| unfailing(program, id, &mut HashMap::new());
    match program.node(id).clone() {
        Node::Guard {
            condition, value, ..
        } => {
            let first = succeeds(program, condition, done)?;
            let holds = plain(program, condition);
            let first = both(program, first, holds);
            let then = succeeds(program, value, done)?;
            Some(both(program, first, then))
        }
        Node::Demand {
            effect,
            value,
            required,
        } => {
            let value = succeeds(program, value, done)?;
            match required {
                true => {
                    let effect = succeeds(program, effect, done)?;
                    Some(both(program, effect, value))
                }
                false => Some(value),
            }
        }
        Node::Project(bundle, k) => match program.node(bundle).clone() {
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let first = succeeds(program, condition, done)?;
                let then = succeeds(program, then[k as usize], done)?;
                let otherwise = succeeds(program, otherwise[k as usize], done)?;
                if then == otherwise {
                    return Some(both(program, first, then));
                }
                let condition = plain(program, condition);
                let chosen = program.add(Node::If {
                    condition,
                    then: vec![then],
                    otherwise: vec![otherwise],
                });
                let chosen = program.add(Node::Project(chosen, 0));
                Some(both(program, first, chosen))
            }
            Node::Loop {
                initial,
                condition,
                next,
                ..
            } => {
                let mut round = [condition].into_iter().chain(next);
                let fails = round.any(|id| program.may_fail(id));
                match !fails && ends(program, bundle) {
                    true => all(program, &initial, done),
                    false => None,
                }
            }
            _ => None,
        },
        Node::Reduce { .. } | Node::Loop { .. } | Node::If { .. } => None,
        Node::Index { indices, .. } => all(program, &indices, done),
        node => {
            let mut operands = Vec::new();
            node.operands(|operand| operands.push(operand));
            all(program, &operands, done)
        }
    }
}

/// Whether a loop is known to end soon: it searches by halves.
fn ends(program: &Program, id: Id) -> bool {
    let Node::Loop {
        state,
        condition,
        next,
        ..
    } = program.node(id)
    else {
        return false;
    };
    let Node::Binary(Binary::Lt, low, high) = *program.node(*condition) else {
        return false;
    };
    let of = |id: Id| {
        let at = state
            .iter()
            .position(|&var| *program.node(id) == Node::Variable(var))?;
        match *program.node(next[at]) {
            Node::Select(right, a, b) => Some((right, a, b)),
            _ => None,
        }
    };
    let Some(((right, after, stays), (same, also, middle))) = of(low).zip(of(high)) else {
        return false;
    };
    let number = |id: Id, value: u64| matches!(program.node(id), Node::Constant(known) if known.bits == value);
    let sum = |id: Id, holds: &dyn Fn(Id, Id) -> bool| matches!(*program.node(id), Node::Binary(Binary::Add, a, b) if holds(a, b) || holds(b, a));
    let half = |id: Id| {
        matches!(*program.node(id), Node::Binary(Binary::Div, distance, two)
            if number(two, 2) && *program.node(distance) == Node::Binary(Binary::Sub, high, low))
    };
    right == same
        && (stays, also) == (low, high)
        && sum(middle, &|a, b| a == low && half(b))
        && sum(after, &|a, b| a == middle && number(b, 1))
}

fn all(program: &mut Program, ids: &[Id], done: &mut HashMap<Id, Option<Id>>) -> Option<Id> {
    let mut held = program.bool(true);
    for &id in ids {
        let own = succeeds(program, id, done)?;
        held = both(program, held, own);
    }
    Some(held)
}

/// The second one is evaluated only where the first holds.
fn both(program: &mut Program, first: Id, then: Id) -> Id {
    let holds = |id: Id| matches!(program.node(id), Node::Constant(known) if known.is_true());
    match (holds(first), holds(then)) {
        (true, _) => then,
        (_, true) => first,
        _ => if_holds(program, first, then),
    }
}
