//! What folds and scans of a row are made of in C: the operands at a point, how they combine, identities and results.

use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::codegen::cuda::fold;
use crate::codegen::cuda::scalar::{self, ATOM, Expr, Repr};
use crate::codegen::cuda::state::State;
use crate::plan::{Fold, Statement, Value, uses};

/// The operands at a point as a state; gives the variable of the domain.
pub(super) fn write_element(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    folds: &[Fold],
    state: &State,
) -> Flat {
    let index = code.domain_index(extents, vars);
    code.open(format!(
        "const auto element = [&](const {} {}) -> {} {{",
        index.repr, index.name, state.name
    ));
    code.point(&index, extents, vars);
    code.list(body);
    let fields: Vec<String> = folds
        .iter()
        .flat_map(|fold| &fold.elements)
        .map(|element| code.full(*element).text)
        .collect();
    code.line(format!("return {};", state.made(&fields)));
    code.close("};");
    index
}

/// Whether parts are combined without knowing their row: from nothing but them and the kernel's scalars.
pub(super) fn combines_alone(code: &Code<'_>, fold: &Fold) -> bool {
    let mut free = uses::free(&fold.combine);
    free.extend(&fold.combined);
    let own = uses::defined(&fold.combine);
    let scalars = &code.kernel.scalars[..];
    let known = [&fold.left[..], &fold.right[..], &own[..], scalars].concat();
    fold.known.is_some() || free.iter().all(|value| known.contains(value))
}

/// The operators of all folds on whole states.
pub(super) fn write_combine(code: &mut Code<'_>, folds: &[Fold], state: &State) {
    let name = &state.name;
    code.open(format!(
        "const auto combine = [&](const {name} left, const {name} right) -> {name} {{"
    ));
    let mut fields = Vec::new();
    for (at, fold) in folds.iter().enumerate() {
        let operand = |variable: &str| -> Vec<Expr> {
            (0..fold.results.len())
                .map(|leaf| Expr::atom(state.field(variable, at, leaf)))
                .collect()
        };
        let results = fold::combined(
            code,
            fold,
            &fold.combine,
            &operand("left"),
            &operand("right"),
        );
        fields.extend(results.into_iter().map(|result| result.text));
    }
    code.line(format!("return {};", state.made(&fields)));
    code.close("};");
}

/// Combines the elements of a point into a variable.
pub(super) fn accumulate(code: &mut Code<'_>, folds: &[Fold], state: &State, part: &str) {
    for (at, fold) in folds.iter().enumerate() {
        for leaf in 0..fold.results.len() {
            let field = state.field(part, at, leaf);
            let next = fold::accumulate(code, fold, leaf, &Expr::atom(field.clone()));
            code.line(format!("{field} = {};", next.text));
        }
    }
}

pub(super) fn write_identity(code: &mut Code<'_>, folds: &[Fold], state: &State) {
    let mut identities = Vec::new();
    for fold in folds {
        let known = fold.known.as_ref().expect("known operators");
        for (op, result) in known.iter().zip(&fold.results) {
            identities.push(fold::identity(*op, code.leaf(*result)).text);
        }
    }
    let (name, made) = (&state.name, state.made(&identities));
    code.line(format!("const {name} identity = {made};"));
}

/// Combines what the threads of a team have.
pub(super) fn write_team(code: &mut Code<'_>, total: &str) {
    code.line(format!("{total} = fold_team(team, {total}, combine);"));
}

/// The same of what they have in another variable.
pub(super) fn write_total(code: &mut Code<'_>, state: &str, total: &str, parts: &str) {
    code.line(format!("{state} {total} = {parts};"));
    write_team(code, total);
}

/// What folds of an empty row come to.
pub(super) struct Empty<'a> {
    /// Identities: all operators are known.
    pub(super) known: bool,
    pub(super) size: &'a str,
}

/// The results of one fold, with its initial value on the left.
pub(super) fn write_results(
    code: &mut Code<'_>,
    fold: &Fold,
    state: &State,
    at: usize,
    empty: &Empty<'_>,
    several: bool,
) {
    let totals: Vec<Expr> = (0..fold.results.len())
        .map(|leaf| Expr::atom(state.field("total", at, leaf)))
        .collect();
    let declare = |code: &mut Code<'_>, result: Value, constant: &str| {
        if several {
            return code.text(result);
        }
        let leaf = code.leaf(result).name();
        let name = code.name(result);
        format!("{constant}{leaf} {name}")
    };
    let initial = match &fold.initial {
        Some(initial) if !(empty.known && fold::starts_neutral(code, fold)) => initial,
        _ => {
            for (result, total) in fold.results.iter().zip(&totals) {
                if !several && code.facts.unused(*result) {
                    continue;
                }
                let target = declare(code, *result, "const ");
                code.line(format!("{target} = {};", total.text));
            }
            return;
        }
    };
    let initial: Vec<Expr> = initial.iter().map(|value| code.full(*value)).collect();
    if let Some(known) = fold.known.as_ref().filter(|_| empty.known) {
        for (leaf, result) in fold.results.iter().enumerate() {
            if !several && code.facts.unused(*result) {
                continue;
            }
            let repr = Repr::Leaf(code.leaf(*result));
            let expr = scalar::binary(known[leaf], repr, &initial[leaf], &totals[leaf]);
            let target = declare(code, *result, "const ");
            code.line(format!("{target} = {};", expr.text));
        }
        return;
    }
    // Nothing was combined: an empty row gives the initial value itself.
    let mut variables = Vec::new();
    for (leaf, result) in fold.results.iter().enumerate() {
        let target = declare(code, *result, "");
        code.line(format!("{target} = {};", initial[leaf].text));
        variables.push(code.text(*result));
    }
    let size = Expr::atom(empty.size).at(ATOM);
    code.open(format!("if ({size} != 0) {{"));
    let left: Vec<Expr> = variables.iter().map(Expr::atom).collect();
    let combined = fold::combined(code, fold, &fold.combine, &left, &totals);
    let moves: Vec<(Value, Expr)> = fold.results.iter().copied().zip(combined).collect();
    code.assign(&moves);
    code.close("}");
}

/// The results of folds of a row that has `some` elements, which come to what is `given`.
pub(super) fn write_given(code: &mut Code<'_>, folds: &[Fold], state: &State) {
    let known = folds.iter().all(|fold| fold.known.is_some());
    let name = &state.name;
    if known {
        write_identity(code, folds, state);
        code.line(format!("const {name} total = some ? given : identity;"));
    } else {
        code.line(format!("const {name} total = given;"));
    }
    let empty = Empty {
        known,
        size: "some",
    };
    for (at, fold) in folds.iter().enumerate() {
        write_results(code, fold, state, at, &empty, false);
    }
}
