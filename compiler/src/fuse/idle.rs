//! Loops over arrays that only the elements of some domains ask for: no round may fail where there are no such elements.
//!
//! In: a program. Out: per loop that may fail in a round, the extents that must not be zero for anybody to ask for it.

use super::inline::is_array_loop;
use super::reached::asked;
use super::{estimate, scatters};
use crate::ir::{Id, Node, Program, Type};
use std::collections::{BTreeSet, HashMap};

/// See the module. Loops that come out of no domain are left out.
pub(super) fn idle(program: &Program) -> HashMap<Id, Vec<Id>> {
    let loops = program.ids().filter(|&id| is_array_loop(program, id));
    let loops: Vec<Id> = loops.filter(|&id| fails(program, id)).collect();
    if loops.is_empty() {
        return HashMap::new();
    }
    // A type says nothing of who asks, so what it speaks of stays as it is.
    let shapes = program.ids().filter_map(|id| match program.node(id) {
        Node::Variable(var) => match program.var_type(*var) {
            Type::Array(_, extents) => Some(extents.clone()),
            _ => None,
        },
        _ => None,
    });
    let shapes: BTreeSet<Id> = estimate::reachable(program, shapes.flatten())
        .into_iter()
        .collect();
    let asked = asked(program);
    let mut found = HashMap::new();
    for id in loops.into_iter().filter(|id| !shapes.contains(id)) {
        let around = asked.get(&id).into_iter().flatten().copied();
        let here = |extent: &Id| program.free(*extent).is_subset(program.free(id));
        let extents: Vec<Id> = around.filter(here).collect();
        if !extents.is_empty() {
            found.insert(id, extents);
        }
    }
    found
}

/// Whether a round may fail, or the scalars that the first one begins with.
fn fails(program: &Program, id: Id) -> bool {
    let Node::Loop {
        initial,
        condition,
        next,
        ..
    } = program.node(id)
    else {
        return false;
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
