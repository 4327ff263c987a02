//! Reads that are in bounds wherever they are evaluated, and reads at places that data say.

use crate::fuse::analysis::control::is_array_loop;
use crate::fuse::analysis::estimate::Binder;
use crate::ir::walk::{self, inside};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var};
use crate::pass::index::Index;
use crate::scalar::Binary;
use crate::sorted::SortedSet;
use std::cell::LazyCell;

/// Whether places are read that are no arithmetic of a domain's indices, but of data or of a loop's state: how often each is
/// read has nothing to do with how many there are.
pub(in crate::fuse) fn is_gather(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    indices: &[Id],
) -> bool {
    is_gather_but(program, binders, indices, &mut IdSet::default())
}

/// The same, where some expressions are known to be such arithmetic; those that are found to be so are added.
pub(in crate::fuse) fn is_gather_but(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    indices: &[Id],
    known: &mut IdSet,
) -> bool {
    // `(k / w, k % w)` is each place once, `k % w` alone is not.
    let quotient = |id: Id| match *program.node(id) {
        Node::Binary(Binary::Div, _, by) => Some(by),
        _ => None,
    };
    let divisors = LazyCell::new(|| -> SortedSet<Id> {
        let parts = indices.iter().flat_map(|&index| inside(program, index));
        parts.filter_map(quotient).collect()
    });
    let extent = |var: &Var| binders.get(var).and_then(|binder| binder.extent);
    let (mut seen, mut open) = (IdSet::default(), indices.to_vec());
    let mut by_itself = true;
    while let Some(id) = open.pop() {
        if program.free(id).is_empty() || known.contains(id) || !seen.insert(id) {
            continue;
        }
        match *program.node(id) {
            Node::Variable(var) if extent(&var).is_some() => {}
            Node::Binary(Binary::Rem, a, by) => {
                let wraps = |var: &Var| extent(var) == Some(by);
                if !program.free(a).iter().all(wraps) {
                    if !divisors.contains(&by) {
                        return true;
                    }
                    by_itself = false;
                }
                open.push(a);
            }
            Node::Binary(_, a, b) | Node::Select(_, a, b) => open.extend([a, b]),
            Node::Unary(_, a)
            | Node::Cast(_, a)
            | Node::Guard { value: a, .. }
            | Node::Demand { value: a, .. } => open.push(a),
            _ => return true,
        }
    }
    if by_itself {
        known.extend(&seen);
    }
    false
}

/// Whether neighbours in a domain read elements that are anywhere: not those of a segment, which follow each other from where data
/// say.
pub(in crate::fuse) fn is_random(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    read: Id,
) -> bool {
    let Node::Index { indices, .. } = program.node(read) else {
        return false;
    };
    let counts = |var: &Var| binders.get(var).is_some_and(|by| by.extent.is_some());
    let mut open: Vec<Id> = indices.last().copied().into_iter().collect();
    while let Some(id) = open.pop() {
        match program.node(id) {
            Node::Variable(var) if counts(var) => return false,
            Node::Binary(Binary::Add | Binary::Sub, a, b) => open.extend([*a, *b]),
            Node::Guard { value: a, .. } | Node::Cast(_, a) => open.push(*a),
            _ => {}
        }
    }
    is_gather(program, binders, indices)
}

/// Whether all reads of an expression are in bounds by the domains alone, whatever branches it stands in.
pub(in crate::fuse) fn in_bounds(program: &Program, ranges: &mut Index, id: Id) -> bool {
    inside(program, id).all(|id| read_in_bounds(program, ranges, id))
}

/// Whether the elements that a closed scalar reads are in bounds whatever stands around it: not those that a branch in it
/// reads, nor those of scalars that are computed anyway.
pub(in crate::fuse) fn own_in_bounds(
    program: &Program,
    ranges: &mut Index,
    id: Id,
    anticipated: &SortedSet<Id>,
) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    while let Some(id) = open.pop() {
        if anticipated.contains(&id) || !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Index { indices, .. } => {
                if !read_in_bounds(program, ranges, id) {
                    return false;
                }
                open.extend(indices);
            }
            Node::Materialize(_) | Node::Generate { .. } => {}
            Node::If { condition, .. } => open.push(*condition),
            Node::Reduce { .. } => {
                if !is_speculatable(program, ranges, id) {
                    return false;
                }
            }
            node => walk::evaluated(node, |operand| open.push(operand)),
        }
    }
    true
}

/// Whether a read is in bounds by the domains of its variables alone.
pub(in crate::fuse) fn read_in_bounds(program: &Program, ranges: &mut Index, id: Id) -> bool {
    let Node::Index { array, indices } = program.node(id) else {
        return true;
    };
    let extents = program.extents(*array);
    if let ([flat], [_, _, ..]) = (indices.as_slice(), extents) {
        return ranges.in_bounds(program, *flat, extents);
    }
    unproven(program, ranges, id).is_empty()
}

/// Of a read, the indices that may be out of bounds by the domains alone, each with its extent.
pub(in crate::fuse) fn unproven(program: &Program, ranges: &mut Index, id: Id) -> Vec<(Id, Id)> {
    let Node::Index { array, indices } = program.node(id) else {
        return Vec::new();
    };
    let axes = indices.iter().copied();
    let axes = axes.zip(program.extents(*array).iter().copied());
    axes.filter(|&(index, extent)| !ranges.in_bounds(program, index, &[extent]))
        .collect()
}

/// Whether all reads of an expression, and of the arrays in it that are not stored, are in bounds by the domains and by the
/// conditions in it: then it may be evaluated where a branch around it would not have done so.
pub(in crate::fuse) fn is_speculatable(program: &Program, ranges: &mut Index, id: Id) -> bool {
    is_speculatable_but(program, ranges, id, &mut SortedSet::new())
}

fn is_speculatable_but(
    program: &Program,
    ranges: &mut Index,
    id: Id,
    seen: &mut SortedSet<Id>,
) -> bool {
    if !seen.insert(id) {
        return true;
    }
    let under = |ranges: &mut Index, condition: Id, holds: bool, parts: &[Id]| {
        ranges.push();
        ranges.assume(program, condition, holds);
        let mut seen = seen.clone();
        let is_speculatable =
            (parts.iter()).all(|&id| is_speculatable_but(program, ranges, id, &mut seen));
        ranges.pop();
        is_speculatable
    };
    match program.node(id) {
        // What is stored is computed apart, where it may be, and so is what the host's loops give.
        Node::Materialize(_) if program.free(id).is_empty() => true,
        Node::Loop { .. } if program.free(id).is_empty() && is_array_loop(program, id) => true,
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            under(ranges, *condition, true, then)
                && under(ranges, *condition, false, otherwise)
                && is_speculatable_but(program, ranges, *condition, seen)
        }
        Node::Guard {
            condition,
            values,
            value,
            ..
        } => {
            under(ranges, *condition, true, &[*value])
                && (values.iter().chain([condition]))
                    .all(|&id| is_speculatable_but(program, ranges, id, seen))
        }
        node => {
            let mut parts = Vec::new();
            node.operands(|operand| parts.push(operand));
            read_in_bounds(program, ranges, id)
                && (parts.into_iter()).all(|id| is_speculatable_but(program, ranges, id, seen))
        }
    }
}
