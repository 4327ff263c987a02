//! Elements that are plain arithmetic, and what they read.

use crate::fuse::analysis::estimate::{self, LOAD};
use crate::ir::{Id, IdSet, Node, Program, Var};

/// An element that costs no more than a load: a constant, an index, simple arithmetic on them.
pub(super) fn trivial(program: &Program, element: Id) -> bool {
    let (mut seen, mut open, mut cost) = (IdSet::default(), vec![element], 0.0);
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Index { .. } | Node::Reduce { .. } | Node::Loop { .. } | Node::If { .. } => {
                return false;
            }
            Node::Guard { .. } | Node::Generate { .. } => return false,
            node => {
                cost += estimate::own(program, id);
                node.operands(|operand| open.push(operand));
            }
        }
        if cost > LOAD {
            return false;
        }
    }
    true
}

/// The reads in an element that depend on its variables, if nothing in it that does is more than arithmetic and such
/// reads, of arrays that depend on no variable.
pub(super) fn plain_reads(program: &Program, vars: &[Var], element: Id) -> Option<Vec<Id>> {
    let (mut seen, mut open, mut reads) = (IdSet::default(), vec![element], Vec::new());
    while let Some(id) = open.pop() {
        let free = program.free(id);
        if !vars.iter().any(|var| free.contains(var)) || !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Index { array, indices } => {
                if !program.free(*array).is_empty() {
                    return None;
                }
                reads.push(id);
                open.extend(indices);
            }
            Node::Variable(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(..)
            | Node::Bitcast(..)
            | Node::Math(..)
            | Node::Foreign(..) => program.node(id).operands(|operand| open.push(operand)),
            _ => return None,
        }
    }
    Some(reads)
}
