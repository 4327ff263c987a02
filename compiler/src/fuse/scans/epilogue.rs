//! Epilogues of scans: consumers that are computed in the kernel of the scan that they read.
//!
//! A stored array is an epilogue if it has the scan's extents and reads the scan at its own index, or at the one before, forwards
//! or backwards along the axis. An array over the rows, or a scalar that is a result, is one if it reads what whole rows combine to;
//! an array over rows also if it reduces the scan's elements along the axis, in any order, and nothing in it may fail.

use crate::fuse::analysis::control::is_control;
use crate::fuse::analysis::indices;
use crate::fuse::body::control::known_operator;
use crate::ir::walk::{self, inside};
use crate::ir::{Id, Node, Program, Var};
use crate::plan::MOST_LEAVES;
use crate::sorted::SortedSet;

/// How an epilogue reads its scans.
#[derive(Clone, Debug)]
pub(in crate::fuse) struct Epilogue {
    /// Of the scans.
    pub(in crate::fuse) extents: Vec<Id>,
    /// Where along the axis.
    pub(in crate::fuse) along: Direction,
}

/// Which elements of the scans it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::fuse) enum Direction {
    /// Where the scan is, or was just before.
    Forwards,
    /// The same, counted from the end of the axis.
    Backwards,
    /// The last ones, or reductions of all of them.
    Totals,
}

/// The element of a scan that an epilogue reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::fuse) enum ScanPoint {
    Through,
    Before,
    Total,
}

/// The read of a scan: its bundle, its component, and the indices.
pub(in crate::fuse) fn read(program: &Program, id: Id) -> Option<(Id, u32, &[Id])> {
    let Node::Index { array, indices } = program.node(id) else {
        return None;
    };
    let Node::Project(bundle, k) = *program.node(*array) else {
        return None;
    };
    let scan = matches!(program.node(bundle), Node::Scan { .. });
    scan.then_some((bundle, k, indices))
}

/// Whether elements of an array are made where a scan comes by.
pub(in crate::fuse) fn reads_scans(program: &Program, array: Id) -> bool {
    match program.node(array) {
        Node::Generate { element, .. } => {
            inside(program, *element).any(|id| read(program, id).is_some())
        }
        _ => false,
    }
}

/// Which moment an index along the axis of extent `n` is, where the scan is at `at`.
pub(in crate::fuse) fn moment(
    program: &Program,
    index: Id,
    at: Option<Id>,
    n: Id,
) -> Option<ScanPoint> {
    let poly = |id| indices::poly(program, id);
    let minus_one = indices::Poly::constant(-1);
    let index = poly(index);
    if index == poly(n).plus(&minus_one, 1) {
        return Some(ScanPoint::Total);
    }
    let at = poly(at?);
    if index == at {
        return Some(ScanPoint::Through);
    }
    (index == at.plus(&minus_one, 1)).then_some(ScanPoint::Before)
}

/// How a stored array or a scalar is an epilogue of the scans that it reads: `vars` are its own indices over `extents`.
pub(in crate::fuse) fn epilogue_of(
    program: &Program,
    vars: &[Var],
    extents: &[Id],
    element: Id,
) -> Option<Epilogue> {
    let mut common: Option<&[Id]> = None;
    let mut reads: Vec<(Id, &[Id])> = Vec::new();
    for id in inside(program, element) {
        if let Some((bundle, _, indices)) = read(program, id) {
            let Node::Scan { extents, .. } = program.node(bundle) else {
                continue;
            };
            if *common.get_or_insert(extents) != extents {
                return None;
            }
            reads.push((id, indices));
        }
    }
    let scans = common?;
    if leaves(program, [element]) > MOST_LEAVES {
        return None;
    }
    let (&n, rows) = scans.split_last()?;
    let totals = extents.len() + 1 == scans.len();
    if extents != if totals { rows } else { scans } {
        return None;
    }
    let is = |index: Id, var: Var| *program.node(index) == Node::Variable(var);
    let same_row = |(_, read): &(Id, &[Id])| {
        let mut own = read[..rows.len()].iter().zip(vars);
        own.all(|(&index, &var)| is(index, var))
    };
    if !reads.iter().all(same_row) {
        return None;
    }
    let mut gathered = SortedSet::new();
    // With nothing but one row, all blocks had better work on it, scan after scan. Points know of no check that a row has
    // failed, nor of what demands the row.
    if totals && !rows.is_empty() && !walk::fallible(program, element) {
        let all = inside(program, element).filter(|&id| gathers(program, id, n).is_some());
        for id in all {
            gathered.extend(inside(program, id));
        }
    }
    let found = |along: Direction| {
        reads.iter().all(|(id, read)| {
            let last = read[rows.len()];
            match along {
                Direction::Totals if gathered.contains(id) => true,
                Direction::Totals => moment(program, last, None, n) == Some(ScanPoint::Total),
                _ => follows(
                    program,
                    last,
                    vars[rows.len()],
                    n,
                    along == Direction::Backwards,
                ),
            }
        })
    };
    // Known only after all elements: no part of what is computed before, or apart.
    let early = |id: Id| !gathered.contains(&id) && waits(program, id);
    if totals && inside(program, element).any(early) {
        return None;
    }
    let ways: &[Direction] = match totals {
        true => &[Direction::Totals],
        false => &[Direction::Forwards, Direction::Backwards],
    };
    let along = ways.iter().copied().find(|&along| found(along))?;
    let extents = scans.to_vec();
    Some(Epilogue { extents, along })
}

/// Numbers in all the scans that some expressions read.
pub(in crate::fuse) fn leaves(program: &Program, roots: impl IntoIterator<Item = Id>) -> usize {
    let all = (roots.into_iter()).flat_map(|root| inside(program, root));
    let bundles = all.filter_map(|id| Some(read(program, id)?.0));
    let bundles: SortedSet<Id> = bundles.collect();
    let leaves = |&bundle: &Id| match program.node(bundle) {
        Node::Scan { elements, .. } => elements.len(),
        _ => 0,
    };
    bundles.iter().map(leaves).sum()
}

/// Whether this is computed as a whole, and needs elements of a scan for it.
fn waits(program: &Program, id: Id) -> bool {
    let node = program.node(id);
    (matches!(node, Node::Reduce { .. } | Node::Loop { .. }) || is_control(program, id))
        && inside(program, id).any(|id| read(program, id).is_some())
}

/// Which way a reduction goes along the axis of extent `n`, if it takes in what it reads of scans where they come by, in any
/// order: each element is made at a point, by code that cannot fail.
pub(in crate::fuse) fn gathers(program: &Program, bundle: Id, n: Id) -> Option<Direction> {
    let Node::Reduce {
        extents,
        vars,
        elements,
        left,
        right,
        combined,
        initial,
        ..
    } = program.node(bundle)
    else {
        return None;
    };
    let scanned = |&id: &Id| read(program, id).is_some();
    let of_elements = || elements.iter().flat_map(|&id| inside(program, id));
    let reads: Vec<Id> = of_elements().filter(scanned).collect();
    let mut early = (initial.iter().flatten()).flat_map(|&id| inside(program, id));
    if extents != &[n]
        || reads.is_empty()
        || early.any(|id| scanned(&id))
        || of_elements().any(|id| waits(program, id))
        || walk::fallible(program, bundle)
        || known_operator(program, left, right, combined).is_none()
    {
        return None;
    }
    let last = |&id: &Id| {
        let (.., indices) = read(program, id).expect("a read of a scan");
        indices[indices.len() - 1]
    };
    let ways = [Direction::Forwards, Direction::Backwards];
    ways.into_iter().find(|&along| {
        let backwards = along == Direction::Backwards;
        let mut all = reads.iter().map(last);
        all.all(|index| follows(program, index, vars[0], n, backwards))
    })
}

/// Whether an index is `var` or the one before it, counted from the end of the axis if `backwards`.
fn follows(program: &Program, index: Id, var: Var, n: Id, backwards: bool) -> bool {
    let (index, n) = (indices::poly(program, index), indices::poly(program, n));
    let Some(var) = program.find(&Node::Variable(var)) else {
        return false;
    };
    let mut at = indices::Poly::atom(var);
    if backwards {
        at = n.plus(&at, -1).plus(&indices::Poly::constant(-1), 1);
    }
    index == at || index == at.plus(&indices::Poly::constant(-1), 1)
}
