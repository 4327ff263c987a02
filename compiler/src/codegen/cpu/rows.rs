//! Which way lanes run in a kernel of rows: along the inner axis, or across neighbouring rows.
//!
//! Column sums and matrix products read neighbours across the rows (here: their results), and far apart along the
//! inner axis. There each lane works on a row of its own, in order, and no lane waits for gathers. So it does where the
//! inner axis is short: lanes along it would stand idle at its end, and be combined with one another for each row. If both
//! ways read neighbours, it may be rather long.

use super::names::Names;
use super::part::known_constants;
use crate::plan::Phase;
use crate::plan::body::{Op, Statement, Value};
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedMap;
use proc_macro2::TokenStream;
use quote::quote;

/// How an index changes with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Not,
    ByOne,
    Otherwise,
}

/// Elements of a phase up to which lanes across rows pay where lanes along it read no better.
const SHORT: u64 = 2048;
/// The same where lanes along it read neighbours and lanes across rows gather: fewer than there are virtual lanes.
const GATHERED: u64 = 31;
/// The same of plain sums, which cost lanes along a row little.
const GATHERED_SUMS: u64 = 8;

/// A kernel of rows with lanes across them: uniform phases as they are, others as loops.
pub(super) struct Across {
    pub(super) body: Vec<Statement>,
    /// The sizes of phases that have to be small for it to be the better way, and how small.
    pub(super) short: Vec<TokenStream>,
    pub(super) most: u64,
}

/// How long rows that end where numbers in memory say are, as segments do, for the longest of some that are beside each other: about
/// twice the average. What they are segments of is among what a launch passes, the longest of it if there is more.
fn average_size(
    names: Names<'_>,
    before: &[Statement],
    rows: &[Value],
    extents: &[Value],
) -> Option<TokenStream> {
    let (&[length], scalars) = (extents, &names.kernel.scalars) else {
        return None;
    };
    let op = |value: Value| {
        before.iter().find_map(|statement| match statement {
            Statement::Let { value: own, op } if *own == value => Some(op),
            _ => None,
        })
    };
    let is_loaded = |value: Value| {
        let loads = |statement: &Statement| matches!(statement, Statement::Load { value: own, .. } if *own == value);
        before.iter().any(loads)
    };
    let difference = match op(length)? {
        Op::Select(_, difference, _) => op(*difference)?,
        op => op,
    };
    let Op::Binary(Binary::Sub, to, from) = difference else {
        return None;
    };
    let axes = scalars.iter().filter(|scalar| !rows.contains(scalar));
    let axes = axes.filter(|scalar| names.leaf(**scalar) == Leaf::U64);
    let axes = Vec::from_iter(axes.map(|axis| names.value(*axis)));
    let known = rows.iter().all(|extent| scalars.contains(extent));
    let rows = rows.iter().map(|extent| names.value(*extent));
    (known && !axes.is_empty() && is_loaded(*to) && is_loaded(*from))
        .then(|| quote!((0u64 #(.max(#axes))*).saturating_mul(2).div_ceil((1u64 #(.wrapping_mul(#rows))*).max(1u64))))
}

/// A product of extents that are constants or the kernel's scalars.
pub(super) fn known_size(
    names: Names<'_>,
    constants: &SortedMap<Value, u64>,
    extents: &[Value],
) -> Option<TokenStream> {
    let factors = extents.iter().map(|extent| match constants.get(extent) {
        Some(&constant) => Some(quote!(#constant)),
        None => {
            let name = names.value(*extent);
            (names.kernel.scalars.contains(extent)).then(|| quote!(#name))
        }
    });
    let factors = factors.collect::<Option<Vec<TokenStream>>>()?;
    Some(quote!(1u64 #(.wrapping_mul(#factors))*))
}

/// The body with lanes across rows, if that is or may be the better way.
pub(super) fn lanes_along_rows(
    names: Names<'_>,
    rows: &[Value],
    vars: &[Value],
    phases: &[Phase],
) -> Option<Across> {
    let row = *vars.last()?;
    let constants = known_constants(phases);
    let (mut along, mut across, mut short) = (0, 0, true);
    let (mut body, mut sizes) = (Vec::new(), Vec::new());
    for phase in phases {
        match phase {
            Phase::Uniform(statements) => body.extend(statements.iter().cloned()),
            Phase::Scan { .. } => return None,
            Phase::Each {
                extents,
                vars,
                body: elements,
            }
            | Phase::Fold {
                extents,
                vars,
                body: elements,
                ..
            } => {
                sizes.push(extents);
                let inner = *vars.last()?;
                along += scattered(inner, &body, elements);
                across += scattered(row, &body, elements);
                let size: Option<u64> = extents
                    .iter()
                    .map(|extent| constants.get(extent).copied())
                    .product();
                short &= size.is_some_and(|size| size <= 64);
                let folds = match phase {
                    Phase::Fold { folds, .. } => folds.clone(),
                    _ => Vec::new(),
                };
                body.push(Statement::Fold {
                    extents: extents.clone(),
                    vars: vars.clone(),
                    body: elements.clone(),
                    folds,
                });
            }
        }
    }
    let most = match across > along {
        false => SHORT,
        true if phases.iter().all(is_sum) => GATHERED_SUMS,
        true => GATHERED,
    };
    if sizes.is_empty() || across < along || short {
        let short = Vec::new();
        return Some(Across { body, short, most });
    }
    let known = sizes.iter().map(|size| {
        known_size(names, &constants, size).or_else(|| average_size(names, &body, rows, size))
    });
    let mut short = known.collect::<Option<Vec<TokenStream>>>()?;
    short.dedup_by_key(|size| size.to_string());
    Some(Across { body, short, most })
}

/// Whether a phase is done with a few instructions for each row that is shorter than a vector.
fn is_sum(phase: &Phase) -> bool {
    match phase {
        Phase::Uniform(_) => true,
        Phase::Each { .. } | Phase::Scan { .. } => false,
        Phase::Fold { body, folds, .. } => {
            let plain = |statement: &Statement| match statement {
                Statement::Let { op, .. } => !matches!(op, Op::Math(f, _) if !f.is_relaxed()),
                Statement::Load { .. } | Statement::Store { .. } => true,
                _ => false,
            };
            body.iter().all(plain) && folds.iter().all(|fold| fold.combine.len() == 1)
        }
    }
}

/// Loads and stores of `elements` whose lanes, if they ran along `var`, would neither be neighbours nor the same element.
pub(super) fn scattered(var: Value, before: &[Statement], elements: &[Statement]) -> usize {
    let mut changes = SortedMap::from([(var, Change::ByOne)]);
    let mut ignored = 0;
    walk(before, &mut changes, &mut ignored);
    let mut count = 0;
    walk(elements, &mut changes, &mut count);
    count
}

fn walk(statements: &[Statement], changes: &mut SortedMap<Value, Change>, count: &mut usize) {
    let of = |changes: &SortedMap<Value, Change>, value: Value| {
        changes.get(&value).copied().unwrap_or(Change::Not)
    };
    for statement in statements {
        match statement {
            Statement::Let { value, op } => {
                let change = match op {
                    Op::Binary(Binary::Add, a, b) => match (of(changes, *a), of(changes, *b)) {
                        (change, Change::Not) | (Change::Not, change) => change,
                        _ => Change::Otherwise,
                    },
                    Op::Binary(Binary::Sub, a, b) => match (of(changes, *a), of(changes, *b)) {
                        (change, Change::Not) => change,
                        _ => Change::Otherwise,
                    },
                    op if op.operands().iter().all(|&x| of(changes, x) == Change::Not) => {
                        Change::Not
                    }
                    _ => Change::Otherwise,
                };
                changes.insert(*value, change);
            }
            Statement::Load { value, index, .. } => {
                let change = of(changes, *index);
                *count += usize::from(change == Change::Otherwise);
                let change = if change == Change::Not {
                    Change::Not
                } else {
                    Change::Otherwise
                };
                changes.insert(*value, change);
            }
            Statement::Store { index, .. } => {
                *count += usize::from(of(changes, *index) == Change::Otherwise);
            }
            Statement::Check { .. } => {}
            Statement::If {
                then,
                otherwise,
                results,
                ..
            } => {
                walk(then, changes, count);
                walk(otherwise, changes, count);
                for join in results {
                    changes.insert(join.result, Change::Otherwise);
                }
            }
            Statement::Loop {
                state, test, body, ..
            } => {
                for carry in state {
                    changes.insert(carry.state, Change::Otherwise);
                }
                walk(test, changes, count);
                walk(body, changes, count);
            }
            Statement::Fold { body, folds, .. } => {
                walk(body, changes, count);
                for fold in folds {
                    for &result in &fold.results {
                        changes.insert(result, Change::Otherwise);
                    }
                }
            }
        }
    }
}
