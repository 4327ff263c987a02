//! Reductions that the elements of a row share, and reads that share none.
//!
//! In: an array that is read. Out: what a read of it would repeat, unless the reader has the row at hand.

use crate::fuse::analysis::estimate::Binder;
use crate::fuse::analysis::reads;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var, walk};
use std::collections::BTreeSet;

/// The reductions that an element has in common with others of its row: those that depend on some of its indices.
pub(in crate::fuse) fn folds_of_rows(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    own: &BTreeSet<Var>,
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
