//! Reductions of other rows: computed once for all rows, not for each element that reads around its own.
//!
//! In: a program after inlining. Out: the same program, in which a reduction over row `e` of an array (row `d, e` of a cube), that
//! elements of a stored array demand in a branch (the one that keeps `e` in bounds, as that of a stencil does), and that does not
//! depend on all of their indices, is read of a stored array of the reductions of all rows. There are as many as the array that is read
//! has rows, of bounded length.

use crate::fuse::analysis::bounds::{Bounds, anticipated};
use crate::fuse::analysis::reads;
use crate::fuse::rewrite::{Replacing, replaced};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var, walk};
use crate::pass::index::Index;
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// See the module.
pub(super) fn share(mut program: Program) -> Program {
    let found = found(&mut program);
    match found.is_empty() {
        true => program,
        false => replaced(program, found),
    }
}

/// Reductions in the elements of stored arrays that depend on some of their indices and that only some elements demand: each with
/// all of the indices.
pub(super) fn of_some_elements(
    program: &Program,
    stands: impl Fn(Id, Id) -> bool,
) -> SortedSet<(Id, Vec<Var>)> {
    let mut found = SortedSet::new();
    for id in walk::reachable(program, program.roots()) {
        let Node::Materialize(array) = *program.node(id) else {
            continue;
        };
        let Node::Generate { vars, element, .. } = program.node(array) else {
            continue;
        };
        if vars.len() < 2 || !stands(array, *element) {
            continue;
        }
        let certain = anticipated(program, [*element]);
        let reductions = walk::inside(program, *element).filter(|id| {
            let free = program.free(*id);
            matches!(program.node(*id), Node::Reduce { .. })
                && (1..vars.len()).contains(&free.len())
                && free.iter().all(|var| vars.contains(var))
                && !certain.contains(id)
        });
        found.extend(reductions.map(|id| (id, vars.clone())));
    }
    found
}

/// The components of reductions of other rows, and what they are of stored arrays.
fn found(program: &mut Program) -> QuickMap<Id, Id> {
    let closed = |array: Id, _| program.free(array).is_empty();
    let candidates: SortedSet<Id> = (of_some_elements(program, closed).into_iter())
        .map(|(id, _)| id)
        .filter(|&id| !walk::fallible(program, id))
        .collect();
    if candidates.is_empty() {
        return QuickMap::default();
    }
    let bounds = Bounds::of(program);
    let mut ranges = Index::with_checks(program);
    let mut found = QuickMap::default();
    for id in candidates {
        let bounded = match program.node(id) {
            Node::Reduce { extents, .. } => extents.iter().all(|&id| bounds.bounded(program, id)),
            _ => false,
        };
        if !bounded || reads::in_bounds(program, &mut ranges, id) {
            continue;
        }
        let Some(row) = row(program, id) else {
            continue;
        };
        let (row, extents): (Vec<Id>, Vec<Id>) = row.into_iter().unzip();
        let vars = row.iter().map(|_| program.var(Type::Scalar(Leaf::U64)));
        let vars: Vec<Var> = vars.collect();
        let any = vars.iter().map(|&var| program.add(Node::Variable(var)));
        let any = row.iter().copied().zip(any.collect::<Vec<Id>>()).collect();
        let of_any = Replacing::new(program, any).rewrite(id);
        if !program
            .free(of_any)
            .iter()
            .eq(vars.iter().collect::<SortedSet<_>>())
        {
            continue;
        }
        let components = program.components(id);
        for (component, of_any) in components.into_iter().zip(program.components(of_any)) {
            let array = program.generate(extents.clone(), |program, indices| {
                let map = vars.iter().copied().zip(indices.iter().copied());
                program.substitute(of_any, &map.collect())
            });
            let stored = program.add(Node::Materialize(array));
            let reason = "elements around it demand the reduction of a row".to_owned();
            program.reasons.insert(stored, reason);
            let read = program.add(Node::Index {
                array: stored,
                indices: row.clone(),
            });
            program.keep_labels(component, read);
            found.insert(component, read);
        }
    }
    found
}

/// The row that a reduction is of: the indices of a read in it that are not the reduction's own, each with its extent; other reads
/// have some of them.
fn row(program: &Program, id: Id) -> Option<Vec<(Id, Id)>> {
    let free = program.free(id);
    let mut all: SortedSet<(Id, Id)> = SortedSet::new();
    let mut most = Vec::new();
    for id in walk::inside(program, id) {
        let Node::Index { array, indices } = program.node(id) else {
            continue;
        };
        let axes = indices.iter().zip(program.extents(*array));
        let depends = |index: Id| free.iter().any(|var| program.free(index).contains(var));
        let own: Vec<(Id, Id)> = axes
            .filter(|&(&index, _)| depends(index))
            .map(|(&index, &extent)| (index, extent))
            .collect();
        // Not the reduction's own index: `xs[3 * i + k]` is of no row.
        if !own
            .iter()
            .all(|&(index, _)| program.free(index).is_subset(free))
        {
            return None;
        }
        all.extend(&own);
        most = std::cmp::max_by_key(own, most, Vec::len);
    }
    let distinct: SortedSet<Id> = most.iter().map(|&(index, _)| index).collect();
    let one = !most.is_empty() && distinct.len() == most.len() && all.len() == most.len();
    one.then_some(most)
}
