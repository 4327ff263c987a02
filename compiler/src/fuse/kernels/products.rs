//! Products that folds of rows combine: finds them, and what neighbouring rows share of them.
//!
//! In: the phases of a row-wise kernel. Out: the first contraction in the body of a fold, if that depends on nothing but the row's
//! number, and that of the place in the fold.

use super::tiles;
use crate::fuse::body::Body;
use crate::plan::products::before;
use crate::plan::{Phase, Products, Statement, Value, uses};
use crate::sorted::SortedSet;

/// A kernel's products, if there are any.
pub(in crate::fuse) fn find(
    body: &Body,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
) -> Option<Products> {
    let defined = defined(phases);
    (phases.iter().enumerate()).find_map(|(at, phase)| {
        let Phase::Fold {
            extents: places,
            vars: coordinates,
            body: statements,
            ..
        } = phase
        else {
            return None;
        };
        let extents = [extents, places].concat();
        let vars = [vars, coordinates].concat();
        let (rows, column) = (extents.len() - places.len(), extents.len().checked_sub(1)?);
        // A block is of rows of one kind: of the kernel, or of the phase.
        let of_rows = rows > 0 && places.len() == 1;
        if !(of_rows || places.len() == 2) || extents.iter().any(|extent| defined.contains(extent))
        {
            return None;
        }
        (statements.iter().enumerate()).find_map(|(k, statement)| {
            let Statement::Fold {
                extents: inner,
                vars: inner_vars,
                body: terms,
                folds,
            } = statement
            else {
                return None;
            };
            let before = before(phases, at, k);
            let all = [&before[..], std::slice::from_ref(statement)].concat();
            let free = uses::free(&all);
            if free
                .iter()
                .any(|value| defined.contains(value) && !vars.contains(value))
            {
                return None;
            }
            let phases = [
                Phase::Uniform(before),
                Phase::Fold {
                    extents: inner.clone(),
                    vars: inner_vars.clone(),
                    body: terms.clone(),
                    folds: folds.clone(),
                },
            ];
            let tiles = tiles::find(body, &extents, &vars, &phases)?;
            let beside = tiles.row.is_some_and(|row| row + 1 == column);
            beside.then_some(Products {
                phase: at,
                statement: k,
                tiles,
            })
        })
    })
}

/// What phases define, their coordinates among it.
fn defined(phases: &[Phase]) -> SortedSet<Value> {
    let mut found = SortedSet::new();
    for phase in phases {
        let (vars, body, folds, after) = match phase {
            Phase::Uniform(body) => (&[][..], body, &[][..], &[][..]),
            Phase::Fold {
                vars, body, folds, ..
            } => (&vars[..], body, &folds[..], &[][..]),
            Phase::Each { vars, body, .. } => (&vars[..], body, &[][..], &[][..]),
            Phase::Scan {
                vars,
                body,
                folds,
                after,
                ..
            } => (&vars[..], body, &folds[..], &after[..]),
        };
        found.extend(vars);
        found.extend(uses::defined(body));
        found.extend(folds.iter().chain(after).flat_map(|fold| &fold.results));
    }
    found
}
