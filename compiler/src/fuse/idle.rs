//! Loops over arrays that only the elements of some domains ask for: no round may fail where there are no such elements.
//!
//! In: a program. Out: per loop that may fail in a round, the extents that must not be zero for anybody to ask for it.

use super::inline::is_array_loop;
use super::{estimate, scatters};
use crate::ir::scopes::regions;
use crate::ir::{Id, Node, Program, Type};
use std::collections::{BTreeSet, HashMap};

/// See the module. Loops that come out of no domain are left out.
pub(super) fn idle(program: &Program) -> HashMap<Id, Vec<Id>> {
    let loops = program.ids().filter(|&id| is_array_loop(program, id));
    let loops: Vec<Id> = loops.filter(|&id| fails(program, id)).collect();
    if loops.is_empty() {
        return HashMap::new();
    }
    let scopes = program.scopes();
    let mut home = HashMap::new();
    for (scope, nodes) in scopes.nodes.iter().enumerate() {
        home.extend(nodes.iter().map(|&id| (id, scope)));
    }
    let mut owners = HashMap::new();
    for id in home.keys() {
        if let Some(first) = scopes.first[id.0 as usize] {
            let count = regions(program.node(*id)).1.len();
            owners.extend((0..count).map(|region| (first + region, (*id, region))));
        }
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
    let mut found = HashMap::new();
    for id in loops.into_iter().filter(|id| !shapes.contains(id)) {
        let mut extents: Vec<Id> = Vec::new();
        let mut at = id;
        while let Some(&(owner, region)) = home.get(&at).and_then(|scope| owners.get(scope)) {
            if region == 0 {
                let own = domain(program, owner).into_iter();
                extents
                    .extend(own.filter(|&extent| program.free(extent).is_subset(program.free(id))));
            }
            at = owner;
        }
        extents.sort_unstable();
        extents.dedup();
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
