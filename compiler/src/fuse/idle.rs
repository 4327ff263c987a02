//! Loops over arrays that only the elements of some domains ask for: no round may fail where there are no such elements.
//!
//! In: a program. Out: per loop that may fail in a round, the extents that must not be zero for anybody to ask for it.

use super::inline::is_array_loop;
use super::{estimate, scatters};
use crate::ir::scopes::regions;
use crate::ir::{Id, Node, Program, Type};
use std::collections::hash_map::Entry;
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

/// The extents that are not zero wherever a node is asked for: those around all of its users.
fn asked(program: &Program) -> HashMap<Id, BTreeSet<Id>> {
    let mut asked: HashMap<Id, BTreeSet<Id>> = HashMap::new();
    asked.extend(program.roots().into_iter().map(|id| (id, BTreeSet::new())));
    let live = estimate::reachable(program, program.roots());
    // Users come after what they use.
    for user in BTreeSet::from_iter(live).into_iter().rev() {
        let around = asked.get(&user).cloned().unwrap_or_default();
        let inside: BTreeSet<Id> = around
            .iter()
            .copied()
            .chain(domain(program, user))
            .collect();
        let (outside, regions) = regions(program.node(user));
        let first = regions.first().into_iter().flatten();
        let rest = regions.iter().skip(1).flatten().chain(&outside);
        let operands = first.map(|&id| (id, &inside));
        for (operand, by) in operands.chain(rest.map(|&id| (id, &around))) {
            match asked.entry(operand) {
                Entry::Vacant(entry) => {
                    entry.insert(by.clone());
                }
                Entry::Occupied(mut entry) => entry.get_mut().retain(|extent| by.contains(extent)),
            }
        }
    }
    asked
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

/// The extents without any of which the first region of a node has no point.
fn domain(program: &Program, id: Id) -> Vec<Id> {
    match program.node(id) {
        Node::Generate { extents, .. }
        | Node::Reduce { extents, .. }
        | Node::Scan { extents, .. }
        | Node::Sort { extents, .. }
        | Node::Compact { extents, .. } => extents.clone(),
        Node::Scatter {
            extents, defaults, ..
        } => [extents, program.extents(defaults[0])].concat(),
        _ => Vec::new(),
    }
}
