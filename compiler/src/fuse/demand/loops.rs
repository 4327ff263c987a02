//! Demand of loops over arrays, and of the arrays that they begin with, where only elements or branches have it: without demand there
//! is no round, and no element may fail.
//!
//! In: a program. Out: per loop, or array that may fail, the conditions under which it is demanded.

use crate::fuse::analysis::control::{self, is_array_loop};
use crate::fuse::demand::conditions::{Demands, Fact};
use crate::ir::walk::{self, inside};
use crate::ir::{Id, Node, Program, QuickMap, Type};
use crate::sorted::SortedSet;

/// See the module. What comes out of no domain is left out.
pub(in crate::fuse) fn idle(program: &mut Program) -> QuickMap<Id, Vec<Fact>> {
    let loops: Vec<Id> = (program.ids())
        .filter(|&id| is_array_loop(program, id))
        .collect();
    let initial = loops.iter().flat_map(|&id| match program.node(id) {
        Node::Loop { initial, .. } => initial.clone(),
        _ => Vec::new(),
    });
    let all: SortedSet<Id> = initial.chain(loops.iter().copied()).collect();
    let all: Vec<(Id, bool)> = (all.into_iter())
        .map(|id| (id, fails(program, id)))
        .filter(|&(id, fails)| fails || is_array_loop(program, id))
        .collect();
    if all.is_empty() {
        return QuickMap::default();
    }
    let mut demands = Demands::new(program);
    let mut idle = QuickMap::default();
    for (id, fails) in all {
        let mut facts = demands.facts(program, id);
        if !fails {
            // Rounds over no elements cost nothing.
            let own = extents(program, id);
            facts.retain(|fact| !matches!(fact, Fact::NotZero(extent) if own.contains(extent)));
        }
        if !facts.is_empty() {
            idle.insert(id, facts);
        }
    }
    idle
}

/// The extents of a loop's arrays.
fn extents(program: &Program, id: Id) -> SortedSet<Id> {
    let state = match program.node(id) {
        Node::Loop { state, .. } => &state[..],
        _ => &[],
    };
    let types = state.iter().map(|&var| program.var_type(var));
    let arrays = types.filter_map(|ty| match ty {
        Type::Array(_, extents) => Some(extents),
        Type::Scalar(_) | Type::Bundle(_) => None,
    });
    arrays.flatten().copied().collect()
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
    let mut parts = walk::reachable(program, parts).into_iter();
    parts.any(|id| {
        matches!(program.node(id), Node::Guard { .. })
            || control::fails_by_itself(program, id).is_some()
    })
}
