//! A step of the fold, and where it starts.

use super::sides::{Held, bind};
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::fold;
use crate::codegen::cuda::scalar::Expr;
use crate::codegen::cuda::state::State;
use crate::plan::tiles::{Inner, Tiles};
use crate::plan::{Fold, Value, uses};
use crate::scalar::Leaf;

/// One element of the fold for one element of the domain.
pub(super) fn write_step(
    code: &mut Code<'_>,
    tiles: &Tiles,
    inner: Inner<'_>,
    state: &State,
    parts: [&Held<'_>; 4],
    coordinates: &[(Value, String)],
) {
    let mut used = uses::free(&tiles.body);
    for fold in inner.folds {
        used.extend(&fold.elements);
        used.extend(uses::free(&fold.combine));
    }
    for (value, line) in coordinates {
        if used.contains(value) {
            code.line(line);
        }
    }
    for (held, variable) in parts
        .iter()
        .zip(["of_row[r]", "of_column[c]", "left", "right"])
    {
        for (at, value) in held.part.values.iter().enumerate() {
            bind(code, *value, held.state.field(variable, 0, at));
        }
    }
    code.list(&tiles.body);
    for fold in inner.folds {
        for element in &fold.elements {
            if fold.known.is_none() {
                code.settle(*element);
            }
        }
    }
    if inner.folds.iter().all(starts) {
        let next = next(code, inner, state, false);
        code.line(format!("part = {next};"));
    } else {
        let k = code.text(inner.var);
        code.open(format!("if ({k} == 0) {{"));
        let first = next(code, inner, state, true);
        code.line(format!("part = {first};"));
        code.close("} else {");
        code.deeper();
        let next = next(code, inner, state, false);
        code.line(format!("part = {next};"));
        code.close("}");
    }
}

/// Whether a fold has something to start from.
fn starts(fold: &Fold) -> bool {
    fold.initial.is_some() || fold.known.is_some()
}

/// The states after the `first` or another element.
fn next(code: &mut Code<'_>, inner: Inner<'_>, state: &State, first: bool) -> String {
    let mut fields = Vec::new();
    for (at, fold) in inner.folds.iter().enumerate() {
        let before: Vec<Expr> = (0..fold.results.len())
            .map(|leaf| Expr::atom(state.field("part", at, leaf)))
            .collect();
        if fold.known.is_some() {
            fields.extend(
                (0..before.len())
                    .map(|leaf| fold::accumulate(code, fold, leaf, &before[leaf]).text),
            );
            continue;
        }
        let elements: Vec<Expr> = fold
            .elements
            .iter()
            .map(|element| code.full(*element))
            .collect();
        let next = match first && !starts(fold) {
            true => elements,
            false => {
                let combine = fold.combine_in_order(&[inner.var]);
                fold::combined(code, fold, &combine, &before, &elements)
            }
        };
        fields.extend(next.into_iter().map(|expr| expr.text));
    }
    state.made(&fields)
}

/// From now on the results of folds are what a `total` says.
pub(super) fn bind_results(code: &mut Code<'_>, folds: &[Fold], state: &State) {
    for (at, fold) in folds.iter().enumerate() {
        for (leaf, result) in fold.results.iter().enumerate() {
            bind(code, *result, state.field("total", at, leaf));
        }
    }
}

/// The states before the first element.
pub(super) fn start(code: &Code<'_>, folds: &[Fold], state: &State) -> String {
    let mut fields = Vec::new();
    for fold in folds {
        for (leaf, result) in fold.results.iter().enumerate() {
            let ty: Leaf = code.leaf(*result);
            fields.push(match (&fold.initial, &fold.known) {
                (Some(initial), _) => code.full(initial[leaf]).text,
                (None, Some(known)) => fold::identity(known[leaf], ty).text,
                (None, None) => format!("{}(0)", ty.name()),
            });
        }
    }
    state.made(&fields)
}
