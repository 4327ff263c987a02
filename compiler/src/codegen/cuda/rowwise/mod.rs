//! Rowwise kernels: one function for a row, written once for any team of threads, and entries for the regimes.
//!
//! The function takes the team as a template parameter: what depends on the regime (who reads which element, how
//! states travel between threads, who stores) is the prelude's. A fold whose operators are all known ones goes through
//! the row in strides of the team's size; any other keeps the order of its operands, and so does a scan.

mod entries;
mod folds;
mod kept;
mod neighbours;
mod path;
mod phases;
mod room;
mod scans;
mod single_fold;

use super::body::Code;
use super::{Entry, Variants, state, tiles};
use crate::plan::affine::Polynomial;
use crate::plan::tiles::Inner;
use crate::plan::{Fold, Kernel, Phase, Skeleton, Statement, Tiles, Value};
use crate::scalar::Leaf;
use neighbours::{Neighbours, Several};
use path::Path;
use phases::Threads;

/// What the entries must know of the row's function.
struct Row {
    /// Its name in C.
    function: String,
    /// Bytes of the largest state.
    state: u32,
    /// What tiles of its scans take of each thread.
    scan: scans::Tiles,
    /// One fold or scan, and only scalar code after it: several blocks may share a row.
    splits: bool,
    /// Each row has a length of its own, and long ones are left to blocks.
    ragged: bool,
    /// And very long ones to a launch that follows.
    leaves: bool,
    /// Neighbouring rows read neighbouring elements.
    columns: bool,
    /// They read nothing else: elements of one row are always apart.
    across: bool,
    /// And a thread may have several of these rows.
    several: Option<Several>,
    threads: Threads,
    variants: Variants,
}

/// Whether a fold's rows have lengths of their own.
fn is_ragged(kernel: &Kernel) -> bool {
    let Skeleton::Rowwise { phases, .. } = &kernel.skeleton else {
        return false;
    };
    let own = |extent: &Value| !kernel.scalars.contains(extent);
    phases.iter().any(|phase| match phase {
        Phase::Fold { extents, .. } => extents.iter().any(own),
        _ => false,
    })
}

/// Writes the row's function and its entries.
pub(super) fn write(
    mut code: Code<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    tiles: Option<&Tiles>,
) -> (String, Vec<Entry>) {
    let folds: Vec<usize> = (0..phases.len())
        .filter(|at| matches!(phases[*at], Phase::Fold { .. }))
        .collect();
    let tiles_of_scans = scans::Tiles::of(&code, phases);
    let scans = tiles_of_scans.items > 0;
    let splits = match folds.as_slice() {
        _ if scans => scans::alone(phases),
        [fold] => phases[fold + 1..]
            .iter()
            .all(|phase| matches!(phase, Phase::Uniform(_))),
        _ => false,
    };
    let alone = !phases
        .iter()
        .any(|phase| matches!(phase, Phase::Each { .. }));
    let state = phases
        .iter()
        .map(|phase| state_bytes(&code, phase))
        .max()
        .unwrap_or(0);
    let ragged = is_ragged(code.kernel);
    let columns = splits
        && alone
        && !scans
        && !ragged
        && phases.iter().any(|phase| reads_columns(&code, phase, vars));
    let across = columns
        && phases
            .iter()
            .all(|phase| reads_across(&code, phase, extents, vars));
    let path = Path::of(&code, extents, vars, phases);
    let function = format!("{}_row", code.symbol);
    let variants = Variants::of(&code);
    let states = state::write_states(&mut code, phases);
    code.line("template <class Index, class Team>");
    let parameters = variants.parameters(&code, true);
    // The row's number is a parameter; with no row axes there is one row.
    let row = if extents.is_empty() {
        None
    } else {
        Some(code.domain_index(extents, vars))
    };
    let number = row.as_ref().map_or(String::new(), |row| {
        format!(", const {} {}", row.repr, row.name)
    });
    let parameters = Variants::broken(&format!("Team& team, {parameters}{number}"));
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    if let Some(row) = &row {
        code.point(row, extents, vars);
    }
    code.declare_failed();
    let threads = phases::write(&mut code, phases, &states, splits, ragged && splits);
    code.close("}");
    let mut several = None;
    if across && let Some(neighbours) = Neighbours::of(&code, extents, vars, phases) {
        let state = states.iter().flatten().next().expect("a fold has a state");
        let own = Code::new(code.kernel, code.facts, code.narrow);
        let text = neighbours.write(own, &variants, state);
        code.line("");
        code.line(text.trim_end());
        several = Some(neighbours.several(&code));
    }
    let row = Row {
        function,
        state,
        scan: tiles_of_scans,
        splits,
        ragged: ragged && splits,
        leaves: path.is_some(),
        columns,
        across,
        several,
        threads,
        variants,
    };
    let mut entries = entries::write(&mut code, &row, extents);
    let (kernel, facts, narrow) = (code.kernel, code.facts, code.narrow);
    let mut text = code.finish();
    if let Some(path) = path {
        let state = states.iter().flatten().next().expect("a fold has a state");
        let code = Code::new(kernel, facts, narrow);
        let (more, balanced) = path.write(code, &row.variants, &row.function, state);
        text.push('\n');
        text.push_str(&more);
        entries.extend(balanced);
    }
    if let (Some(tiles), Some(inner)) = (tiles, Inner::of(phases)) {
        let state = states.iter().flatten().next().expect("a fold has a state");
        let domain = tiles::Domain {
            extents,
            vars,
            inner,
        };
        let code = Code::new(kernel, facts, narrow);
        let (more, tiled) = tiles::write(code, &domain, tiles, state);
        text.push('\n');
        text.push_str(&more);
        entries.extend(tiled);
    }
    (text, entries)
}

/// Bytes of the state of folds.
fn fold_bytes(code: &Code<'_>, folds: &[Fold]) -> u32 {
    let results = folds.iter().flat_map(|fold| &fold.results);
    Leaf::struct_bytes(results.map(|result| code.leaf(*result)))
}

/// Bytes of the largest state of a phase.
fn state_bytes(code: &Code<'_>, phase: &Phase) -> u32 {
    match phase {
        Phase::Fold { folds, .. } => fold_bytes(code, folds),
        Phase::Scan { folds, after, .. } => fold_bytes(code, folds).max(fold_bytes(code, after)),
        Phase::Uniform(_) | Phase::Each { .. } => 0,
    }
}

/// Whether some element read for a fold lies next to the one that the next row reads.
fn reads_columns(code: &Code<'_>, phase: &Phase, rows: &[Value]) -> bool {
    let (Phase::Fold { vars, body, .. }, Some(row)) = (phase, rows.last()) else {
        return false;
    };
    body.iter().any(|statement| {
        let Statement::Load { index, .. } = statement else {
            return false;
        };
        let index = Polynomial::of(code.facts, *index);
        index.is_unit_in(*row) && vars.last().is_none_or(|var| !index.is_unit_in(*var))
    })
}

/// Whether all elements read for a fold, but for those that it reads once, lie next to those of the next row.
fn reads_across(code: &Code<'_>, phase: &Phase, extents: &[Value], rows: &[Value]) -> bool {
    let Phase::Fold { vars, body, .. } = phase else {
        return true;
    };
    let of_rows = Polynomial::flat(code.facts, extents, rows);
    let known = |value: Value| vars.contains(&value) || code.kernel.scalars.contains(&value);
    body.iter().all(|statement| match statement {
        Statement::Load { index, .. } => {
            let index = Polynomial::of(code.facts, *index);
            let moves = index.values().any(|value| vars.contains(&value));
            !moves || index.minus(&of_rows).values().all(known)
        }
        // Neighbours of several rows of a thread are stored one by one.
        Statement::Store { .. }
        | Statement::If { .. }
        | Statement::Loop { .. }
        | Statement::Fold { .. } => false,
        Statement::Let { .. } | Statement::Check { .. } => true,
    })
}
