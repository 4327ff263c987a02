//! Who uses arrays, of a whole program.
//!
//! In: a program and its nodes. Out: which arrays are read where, needed as a whole, or used by what is no read.

use crate::ir::{Id, IdSet, Node, Output, Program};
use crate::sorted::{SortedMap, SortedSet};

/// The arrays that something uses that is no read of them.
pub(in crate::fuse) fn users(program: &Program, live: &[Id]) -> IdSet {
    let mut users = IdSet::default();
    for &id in live {
        match program.node(id) {
            Node::Index { .. } => {}
            node => node.operands(|operand| {
                if matches!(program.node(operand), Node::Generate { .. }) {
                    users.insert(operand);
                }
            }),
        }
    }
    users
}

/// Per array, the reads of its elements (through guards).
pub(in crate::fuse) fn readers(program: &Program, live: &[Id]) -> SortedMap<Id, SortedSet<Id>> {
    let mut readers: SortedMap<Id, SortedSet<Id>> = SortedMap::new();
    for &id in live {
        if let Node::Index { array, .. } = program.node(id) {
            let mut array = *array;
            while let Node::Guard { value, .. } | Node::Demand { value, .. } = program.node(array) {
                array = *value;
            }
            readers.entry(array).or_default().insert(id);
        }
    }
    readers
}

/// Arrays that are needed as a whole: results, states of loops, results of branches, what `materialize` names.
pub(in crate::fuse) fn whole(program: &Program, live: &[Id]) -> SortedSet<Id> {
    let mut whole = SortedSet::new();
    for output in &program.outputs {
        if let Output::Array { leaves, .. } = output {
            whole.extend(leaves);
        }
    }
    for &id in live {
        match program.node(id) {
            Node::Materialize(array) => {
                whole.insert(*array);
            }
            Node::If {
                then, otherwise, ..
            } => whole.extend(then.iter().chain(otherwise)),
            Node::Loop { initial, next, .. } => whole.extend(initial.iter().chain(next)),
            Node::Scatter { defaults, .. } => whole.extend(defaults),
            Node::Routine { arguments, .. } => whole.extend(arguments),
            _ => {}
        }
    }
    // What a guard passes on is needed where the guard is.
    for &id in live.iter().rev() {
        if let Node::Guard { value, .. } | Node::Demand { value, .. } = program.node(id)
            && whole.contains(&id)
        {
            whole.insert(*value);
        }
    }
    whole
}
