//! How long the code of an array's elements is, and where that is a reason to store them.

use crate::fuse::analysis::estimate::Binder;
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var};

/// The most operations that the reads of one array are written out as.
pub(super) const LONGEST: usize = 4096;
/// The most operations of an element that a reduction, scan, scatter or sort computes itself, where another array takes as much memory:
/// compilers take longer for long bodies than in proportion, and a load and a store are nothing beside them.
const LARGE: usize = 1000;

/// Whether an array reads another one of its own extents, that of a row one of those of all rows.
fn is_as_large_as_another(program: &Program, binders: &QuickMap<Var, Binder>, id: Id) -> bool {
    let rows = program.free(id).iter().map(|var| binders.get(var)?.extent);
    let Some(mut extents) = rows.collect::<Option<Vec<Id>>>() else {
        return false;
    };
    extents.extend(program.extents(id));
    let is_there = |&other: &Id| {
        let there = matches!(
            program.node(other),
            Node::Input { .. } | Node::Materialize(_)
        );
        there && program.extents(other) == extents
    };
    walk::reachable(program, [id]).iter().any(is_there)
}

/// Whether no reduction, scan, scatter or sort is around the reads.
fn pointwise_only(program: &Program, binders: &QuickMap<Var, Binder>, reads: &[Id]) -> bool {
    let mut around = reads.iter().flat_map(|&read| program.free(read));
    around.all(|var| {
        let node = binders.get(var).map(|binder| program.node(binder.node));
        matches!(node, None | Some(Node::Generate { .. } | Node::Loop { .. }))
    })
}

/// Operations that an element is written as, with the arrays inside it; others are decided by themselves.
pub(super) fn written(program: &Program, element: Id) -> usize {
    let (mut open, mut seen, mut count) = (vec![element], IdSet::default(), 0);
    while let Some(id) = open.pop() {
        if !program.free(id).is_empty() && seen.insert(id) {
            count += 1;
            match program.node(id) {
                Node::Generate { element, .. } => open.push(*element),
                node => node.operands(|operand| open.push(operand)),
            }
        }
    }
    count
}

/// Whether an array had better be stored than be part of the code of all reductions, scans, scatters and sorts that read it.
pub(super) fn is_large(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    id: Id,
    reads: &[Id],
) -> bool {
    let Node::Generate { element, .. } = program.node(id) else {
        return false;
    };
    !pointwise_only(program, binders, reads)
        && written(program, *element) > LARGE
        && is_as_large_as_another(program, binders, id)
}
