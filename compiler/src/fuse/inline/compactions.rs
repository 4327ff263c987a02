//! Elements that a compaction takes: it evaluates them for the count, and again where it writes those that it keeps.

use crate::fuse::analysis::estimate::{Binder, LOAD, OPS_PER_BYTE};
use crate::fuse::analysis::reads;
use crate::fuse::inline::frequency::Demand;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var, walk};
use crate::sorted::{SortedMap, SortedSet};

/// Compactions of which more is used than how many there are.
pub(super) fn written(
    program: &Program,
    live: &[Id],
    whole: &SortedSet<Id>,
    readers: &SortedMap<Id, SortedSet<Id>>,
) -> IdSet {
    let used = |id: &Id| whole.contains(id) || readers.contains_key(id);
    let of = |&id: &Id| match program.node(id) {
        Node::Project(bundle, _) => Some(*bundle),
        _ => None,
    };
    live.iter().filter(|id| used(id)).filter_map(of).collect()
}

/// Whether a compaction that is written takes the elements.
pub(super) fn takes(program: &Program, written: &IdSet, owners: &Demand) -> bool {
    let compacts = |&owner: &Id| {
        written.contains(owner) && matches!(program.node(owner), Node::Compact { .. })
    };
    !written.is_empty() && owners.keys().any(compacts)
}

/// Whether evaluating elements twice costs more than storing them, for those that gather: neighbours' reads hit a cache the second time,
/// gathers may not.
pub(super) fn costs_more(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    element: Id,
    (work, bytes): (f64, f64),
) -> bool {
    let random = |id: Id| reads::is_random(program, binders, id);
    let moved = 3.0 * program.leaf(element).bytes() as f64;
    work + bytes * OPS_PER_BYTE > 2.0 * LOAD + moved * OPS_PER_BYTE
        && walk::inside(program, element).any(random)
}
