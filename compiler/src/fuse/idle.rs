//! Loops over arrays, and the arrays that they begin with, that only the elements of some domains ask for: no round and no element may fail
//! where there are no such elements.
//!
//! In: a program. Out: per loop or array that may fail, the extents that must not be zero for anybody to ask for it.

use super::inline::is_array_loop;
use super::reached::asked;
use super::sources::inside;
use super::{estimate, scatters};
use crate::ir::{Id, Node, Program, Type};
use std::collections::{BTreeSet, HashMap};

/// See the module. What comes out of no domain is left out.
pub(super) fn idle(program: &Program) -> HashMap<Id, Vec<Id>> {
    let loops: Vec<Id> = (program.ids())
        .filter(|&id| is_array_loop(program, id))
        .collect();
    let initial = loops.iter().flat_map(|&id| match program.node(id) {
        Node::Loop { initial, .. } => initial.clone(),
        _ => Vec::new(),
    });
    let all: BTreeSet<Id> = initial.chain(loops.iter().copied()).collect();
    let failing: Vec<Id> = all.into_iter().filter(|&id| fails(program, id)).collect();
    if failing.is_empty() {
        return HashMap::new();
    }
    let asked = asked(program);
    let extents = |id: Id| -> Vec<Id> {
        let around = asked.get(&id).into_iter().flatten().copied();
        let here = |extent: &Id| program.free(*extent).is_subset(program.free(id));
        around.filter(here).collect()
    };
    let failing = failing.into_iter().map(|id| (id, extents(id)));
    (failing.filter(|(_, extents)| !extents.is_empty())).collect()
}

/// Whether an element of a stored array may fail, or a round of a loop or the scalars that the first one begins with.
fn fails(program: &Program, id: Id) -> bool {
    let (initial, condition, next) = match program.node(id) {
        Node::Materialize(array) => {
            return match program.node(*array) {
                Node::Generate { element, .. } => inside(program, *element)
                    .any(|id| matches!(program.node(id), Node::Guard { .. })),
                _ => false,
            };
        }
        Node::Loop {
            initial,
            condition,
            next,
            ..
        } => (initial, condition, next),
        _ => return false,
    };
    let scalars = initial
        .iter()
        .filter(|&&id| matches!(program.ty(id), Type::Scalar(_)));
    let parts = scalars.chain(next).chain([condition]).copied();
    let mut parts = estimate::reachable(program, parts).into_iter();
    parts.any(|id| {
        matches!(program.node(id), Node::Guard { .. })
            || scatters::fails_by_itself(program, id).is_some()
    })
}
