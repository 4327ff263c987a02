//! Arrays of a row become one array of all rows (array expansion): then they can be stored.
//!
//! In: a program, and arrays of it that depend on indices. Out: arrays over these indices as well. In a branch of the row, its
//! condition may be what keeps reads in bounds, or failures away: such an array has elements only where the branch is taken.

use crate::fuse::analysis::domains::{Expansion, around};
use crate::fuse::analysis::estimate::Binder;
use crate::fuse::demand::conditions::{Demands, Fact};
use crate::fuse::demand::regions::Around;
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::sorted::SortedSet;

/// The stored array over the indices that `generate` depends on.
pub(in crate::fuse) fn expand(
    program: &mut Program,
    binders: &QuickMap<Var, Binder>,
    generate: Id,
) -> Expansion {
    let Node::Generate {
        extents,
        vars,
        element,
    } = program.node(generate).clone()
    else {
        return Expansion::Impossible;
    };
    let Some((over, outer)) = around(program, binders, generate, &extents) else {
        return Expansion::Impossible;
    };
    if over.is_empty() {
        return Expansion::Closed;
    }
    let (fresh, reads): (Vec<Var>, Vec<Id>) = over.iter().map(|_| program.index_var()).unzip();
    let map = over.iter().copied().zip(reads).collect();
    let element = program.substitute(element, &map);
    let expanded = program.add(Node::Generate {
        extents: [outer, extents].concat(),
        vars: [fresh, vars].concat(),
        element,
    });
    program.keep_labels(generate, expanded);
    let stored = program.add(Node::Materialize(expanded));
    if let Some(reason) = program.reasons.get(&generate).cloned() {
        program.reasons.insert(stored, reason);
    }
    Expansion::Over(over, stored)
}

/// A scalar of a row, read of a stored array of those of all rows; as it is, if it depends on no row.
pub(in crate::fuse) fn scalar(
    program: &mut Program,
    binders: &QuickMap<Var, Binder>,
    id: Id,
    reason: &str,
) -> Option<Id> {
    let (over, extents) = around(program, binders, id, &[])?;
    if over.is_empty() {
        return Some(id);
    }
    let array = program.generate(extents, |program, indices| {
        let map = over.iter().copied().zip(indices.iter().copied()).collect();
        program.substitute(id, &map)
    });
    let array = program.add(Node::Materialize(array));
    program.reasons.insert(array, reason.to_owned());
    let indices = over.into_iter().map(|var| program.add(Node::Variable(var)));
    let indices = indices.collect();
    Some(program.add(Node::Index { array, indices }))
}

/// What holds where arrays of a row are evaluated that only a branch of the row does, if that is told without reading
/// anything: those that are to be stored, and these.
pub(in crate::fuse) fn branched(
    program: &mut Program,
    binders: &QuickMap<Var, Binder>,
    reached: &QuickMap<Id, Around>,
    also: &SortedSet<Id>,
) -> QuickMap<Id, Vec<Fact>> {
    let live = walk::reachable(program, program.roots());
    let stored = live.into_iter().filter_map(|id| match program.node(id) {
        Node::Materialize(array) => Some((id, *array)),
        _ => None,
    });
    let of_a_row = |(id, array): (Id, Id)| {
        let extents = match program.node(array) {
            Node::Generate { extents, .. } => extents,
            _ => return None,
        };
        let (over, outer) = around(program, binders, array, extents)?;
        let own = [&outer[..], extents].concat();
        (!over.is_empty() && !reached.contains_key(&id)).then_some((id, array, own))
    };
    let also = also.iter().map(|&id| (id, id));
    let found: Vec<(Id, Id, Vec<Id>)> = stored.chain(also).filter_map(of_a_row).collect();
    if found.is_empty() {
        return QuickMap::default();
    }
    let mut demands = Demands::new(program);
    let mut branched = QuickMap::default();
    for (id, array, own) in found {
        let mut facts = demands.facts(program, id);
        facts.retain(|fact| !matches!(fact, Fact::NotZero(extent) if own.contains(extent)));
        if facts.iter().any(|fact| matches!(fact, Fact::Holds(_))) {
            branched.insert(id, facts.clone());
            branched.insert(array, facts);
        }
    }
    branched
}
