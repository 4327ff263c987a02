//! Scan phases in C: what the operands are, how they combine, what is done at each point. Who does it when is `scan.cuh`'s.

use super::phases::{
    Empty, accumulate, write_combine, write_element, write_identity, write_results, write_total,
};
use super::state::State;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::scalar::Expr;
use crate::plan::{Fold, Phase, Prefix, Statement, Value};

/// The scan that is all that a row's threads do together, if that is so: several blocks may share such a row.
pub(super) fn alone(phases: &[Phase]) -> bool {
    let mut together = phases
        .iter()
        .filter(|phase| !matches!(phase, Phase::Uniform(_)));
    match (together.next(), together.next()) {
        (Some(Phase::Scan { after, .. }), None) => after.is_empty(),
        _ => false,
    }
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
    pub(super) after: &'a [Fold],
}

/// Writes a scan phase. Later phases see its results, whatever names it needs itself end with its block.
pub(super) fn write(code: &mut Code<'_>, scan: &Scan<'_>, state: &State, alone: bool) {
    let results = scan.folds.iter().flat_map(|fold| &fold.results);
    let used: Vec<Value> = results
        .copied()
        .filter(|result| !code.facts.unused(*result))
        .collect();
    let after = scan.after.iter().flat_map(|fold| &fold.results);
    for result in used.iter().chain(after) {
        let leaf = code.leaf(*result).name();
        let name = code.name(*result);
        code.line(format!("{leaf} {name};"));
    }
    code.open("{");
    let parts = (!scan.after.is_empty()).then(|| Parts::open(code, scan.after));
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
    if let Some(parts) = &parts {
        accumulate(code, scan.after, &parts.state, &parts.name);
    }
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
    if let Some(parts) = parts {
        parts.close(code, scan.after, &size);
    }
    code.close("}");
}

/// What each thread's points come to, for the reductions after a scan.
struct Parts {
    state: State,
    /// The variable.
    name: String,
}

impl Parts {
    /// Declares them, with nothing in them.
    fn open(code: &mut Code<'_>, after: &[Fold]) -> Parts {
        let name = code.names.fresh(&format!("{}_gathered", code.symbol));
        let groups: Vec<&[Value]> = after.iter().map(|fold| fold.results.as_slice()).collect();
        let state = State::define(code, name, &groups);
        write_identity(code, after, &state);
        let name = code.names.fresh("gathered");
        code.line(format!("{} {name} = identity;", state.name));
        Parts { state, name }
    }

    /// Combines those of all threads, and lets the results be.
    fn close(self, code: &mut Code<'_>, after: &[Fold], size: &str) {
        code.open("{");
        write_combine(code, after, &self.state);
        write_total(code, &self.state.name, "total", &self.name);
        let empty = Empty { known: true, size };
        for (at, fold) in after.iter().enumerate() {
            write_results(code, fold, &self.state, at, &empty, true);
        }
        code.close("}");
    }
}
