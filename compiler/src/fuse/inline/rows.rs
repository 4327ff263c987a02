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

/// Whether elements of a row would each evaluate a reduction that can fail and that depends on the row alone. One that cannot is
/// hoisted to the row; but a row that may have no elements does not demand what can fail (see `kernels::rowwise::stages`).
pub(in crate::fuse) fn demanded_again(
    program: &Program,
    owners: &Demand,
    reads: &[Id],
    element: Id,
) -> bool {
    let repeats = |&owner: &Id| {
        let Node::Generate { extents, vars, .. } = program.node(owner) else {
            return false;
        };
        reads.iter().any(|&read| {
            let free = program.free(read);
            let mut others = vars.iter().zip(extents);
            let some = |extent: Id| matches!(program.node(extent), Node::Constant(x) if x.bits > 0);
            vars.iter().any(|var| free.contains(var))
                && others.any(|(var, &extent)| !free.contains(var) && !some(extent))
        })
    };
    owners.keys().any(repeats) && {
        let folds = evaluated(program, vec![element]).into_iter();
        let folds = folds.filter(|id| matches!(program.node(*id), Node::Reduce { .. }));
        evaluated(program, folds.collect())
            .into_iter()
            .any(|id| program.may_fail(id))
    }
}

/// All that these evaluate, where arrays that are read and not decided yet are inlined.
fn evaluated(program: &Program, mut open: Vec<Id>) -> Vec<Id> {
    let (mut seen, mut found) = (IdSet::default(), Vec::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        found.push(id);
        let node = program.node(id);
        node.operands(|operand| open.push(operand));
        if let Node::Index { array, .. } = node
            && let Node::Generate { element, .. } = program.node(*array)
        {
            open.push(*element);
        }
    }
    found
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
