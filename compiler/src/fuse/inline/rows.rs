//! Reductions that the elements of a row share, and reads that share none.
//!
//! In: an array that is read. Out: what a read of it would repeat, unless the reader has the row at hand; and whether its elements are
//! rows that a reader would fold one by one.

use crate::fuse::analysis::estimate::Binder;
use crate::fuse::analysis::reads;
use crate::fuse::inline::frequency::Demand;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var, walk};
use crate::sorted::SortedSet;

/// The reductions that an element has in common with others of its row: those that depend on some of its indices.
pub(in crate::fuse) fn folds_of_rows(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    own: &SortedSet<Var>,
    element: Id,
) -> Vec<Id> {
    let index = |var: &&Var| binders.get(var).is_some_and(|by| by.extent.is_some());
    let all = own.iter().filter(index).count();
    let (mut seen, mut open, mut found) = (IdSet::default(), vec![element], Vec::new());
    while let Some(id) = open.pop() {
        if !program.may_be_apart(id) && !matches!(program.node(id), Node::Index { .. })
            || !seen.insert(id)
        {
            continue;
        }
        match program.node(id) {
            Node::Index { array, indices } => {
                open.extend(indices);
                // Not decided yet: taken as inlined.
                if let Node::Generate { element, .. } = program.node(*array) {
                    open.push(*element);
                }
            }
            Node::Reduce { .. } => {
                let free = program.free(id);
                let indices = free.iter().filter(index).count();
                if (1..all).contains(&indices) && free.is_subset(own) {
                    found.push(id);
                }
            }
            node => walk::evaluated(node, |operand| open.push(operand)),
        }
    }
    found
}

/// Whether data say which rows are read, of which each has such a fold.
pub(in crate::fuse) fn gathers_rows(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    (reads, vars): (&[Id], &[Var]),
    fold: Id,
) -> bool {
    let of_row = |var: &Var| program.free(fold).contains(var);
    reads.iter().any(|&read| match program.node(read) {
        Node::Index { indices, .. } => {
            let mut axes = vars.iter().zip(indices);
            axes.any(|(var, &index)| of_row(var) && reads::is_gather(program, binders, &[index]))
        }
        _ => false,
    })
}

/// Whether a scan, a scatter, a sort or a reduction of all rows reads elements each of which is a reduction of its own, worth the
/// work of several threads.
pub(in crate::fuse) fn scanned(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    owners: &Demand,
    (own, element): (&SortedSet<Var>, Id),
    shared: &[Id],
) -> bool {
    // What depends on no element is computed once, before.
    let reduction = |id: &Id| match program.node(*id) {
        Node::Reduce { extents, .. } => {
            let constant = |&extent: &Id| matches!(program.node(extent), Node::Constant(_));
            !program.free(*id).is_disjoint(own) && !extents.iter().all(constant)
        }
        _ => false,
    };
    let index = |var: &Var| binders.get(var).is_some_and(|by| by.extent.is_some());
    let serial = |&owner: &Id| match program.node(owner) {
        Node::Scan { .. } | Node::Scatter { .. } | Node::Compact { .. } | Node::Sort { .. } => true,
        // The reduction would fold a row for each element of the row.
        Node::Reduce { vars, .. } if vars.len() > 1 && !shared.is_empty() => true,
        // The stored results are small beside the rows that are read.
        Node::Reduce { .. } => {
            let folds = walk::inside(program, element).filter(reduction);
            !program.free(owner).iter().any(index)
                && folds.into_iter().any(|fold| reads_rows(program, own, fold))
        }
        _ => false,
    };
    let mut folds = walk::inside(program, element).chain(shared.iter().copied());
    owners.keys().any(serial) && folds.any(|id| reduction(&id))
}

/// Whether each element's reduction reads elements that no other does.
fn reads_rows(program: &Program, own: &SortedSet<Var>, fold: Id) -> bool {
    let Node::Reduce { vars, .. } = program.node(fold) else {
        return false;
    };
    walk::inside(program, fold).any(|id| {
        let free = program.free(id);
        matches!(program.node(id), Node::Index { .. })
            && own.is_subset(free)
            && vars.iter().all(|var| free.contains(var))
    })
}
