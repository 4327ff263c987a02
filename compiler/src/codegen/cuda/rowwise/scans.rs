//! Scan phases in C: what the operands are, how they combine, what is done at each point. Who does it when is `scan.cuh`'s.

use super::phases::{write_combine, write_element};
use super::state::State;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::scalar::Expr;
use crate::plan::{Fold, Phase, Prefix, Statement, Value};

/// The scan that is all that a row's threads do together, if that is so: several blocks may share such a row.
pub(super) fn alone(phases: &[Phase]) -> bool {
    let mut together = phases
        .iter()
        .filter(|phase| !matches!(phase, Phase::Uniform(_)));
    matches!(
        (together.next(), together.next()),
        (Some(Phase::Scan { .. }), None)
    )
}

/// Neighbours that a thread takes of a tile: `scan_items` of the prelude.
pub(super) fn items(state_bytes: u32) -> u32 {
    match state_bytes {
        0..=8 => 7,
        9..=16 => 3,
        _ => 1,
    }
}

/// A scan phase, taken apart.
pub(super) struct Scan<'a> {
    pub(super) extents: &'a [Value],
    pub(super) vars: &'a [Value],
    pub(super) body: &'a [Statement],
    pub(super) folds: &'a [Fold],
    pub(super) prefixes: &'a [Prefix],
    pub(super) each: &'a [Statement],
}

/// Writes a scan phase. Later phases see its results, whatever names it needs itself end with its block.
pub(super) fn write(code: &mut Code<'_>, scan: &Scan<'_>, state: &State, alone: bool) {
    let results = scan.folds.iter().flat_map(|fold| &fold.results);
    let used: Vec<Value> = results
        .copied()
        .filter(|result| !code.facts.unused(*result))
        .collect();
    for result in &used {
        let leaf = code.leaf(*result).name();
        let name = code.name(*result);
        code.line(format!("{leaf} {name};"));
    }
    code.open("{");
    write_combine(code, scan.folds, state);
    let size = code.domain_size(scan.extents, "size");
    let index = write_element(code, scan.extents, scan.vars, scan.body, scan.folds, state);
    code.open(format!(
        "const auto finish = [&](const {} {}, const {state} through, const {state} before) {{",
        index.repr,
        index.name,
        state = state.name
    ));
    for (fold, prefix) in scan.prefixes.iter().enumerate() {
        for (values, from) in [(&prefix.through, "through"), (&prefix.before, "before")] {
            for (leaf, value) in values.iter().enumerate() {
                code.bind(*value, Expr::atom(state.field(from, fold, leaf)));
            }
        }
    }
    code.list(scan.each);
    code.close("};");
    let call = format!(
        "scan_row<{}>(team, {size}, element, combine, finish);",
        index.repr
    );
    match used.is_empty() {
        true => code.line(call),
        false => code.line(format!("const {} total = {call}", state.name)),
    }
    if alone {
        code.line("if (!team.finishes()) return;");
    }
    for (at, fold) in scan.folds.iter().enumerate() {
        for (leaf, result) in fold.results.iter().enumerate() {
            if used.contains(result) {
                let target = code.text(*result);
                code.line(format!("{target} = {};", state.field("total", at, leaf)));
            }
        }
    }
    code.close("}");
}
