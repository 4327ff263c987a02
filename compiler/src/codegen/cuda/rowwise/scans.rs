//! Scan phases in C: what the operands are, how they combine, what is done at each point. Who does it when is `scan.cuh`'s.

use super::folds::{
    Empty, accumulate, write_combine, write_element, write_identity, write_results, write_total,
};
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::codegen::cuda::scalar::Expr;
use crate::codegen::cuda::state::State;
use crate::codegen::cuda::walk::Definition;
use crate::plan::{Fold, Op, Phase, Prefix, Statement, Value};
use crate::scalar::{Binary, Leaf};

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

/// Points of a thread in a tile of a count: `count_items` of the prelude.
const COUNTED: u32 = 15;

/// Neighbours that a thread takes of a tile: `scan_items` of the prelude.
pub(super) fn items(state_bytes: u32) -> u32 {
    match state_bytes {
        0..=4 => 15,
        5..=8 => 7,
        9..=16 => 3,
        _ => 1,
    }
}

/// What scans take of each thread.
#[derive(Default)]
pub(super) struct Tiles {
    /// Bytes of shared memory.
    pub(super) bytes: u32,
    /// Neighbours; nothing without scans.
    pub(super) items: u32,
}

impl Tiles {
    /// Of all phases.
    pub(super) fn of(code: &Code<'_>, phases: &[Phase]) -> Tiles {
        let mut tiles = Tiles::default();
        for phase in phases {
            let Phase::Scan { folds, .. } = phase else {
                continue;
            };
            let (bytes, items) = match counted(code, folds) {
                Some(_) => (0, COUNTED),
                None => {
                    let state = super::fold_bytes(code, folds);
                    (items(state) * state, items(state))
                }
            };
            tiles.bytes = tiles.bytes.max(bytes);
            tiles.items = tiles.items.max(items);
        }
        tiles
    }
}

/// What holds at the points that a scan counts, if that is all it does.
fn counted(code: &Code<'_>, folds: &[Fold]) -> Option<Value> {
    let [fold] = folds else {
        return None;
    };
    let (Some([Binary::Add]), &[element]) = (fold.known.as_deref(), &fold.elements[..]) else {
        return None;
    };
    match code.facts.definition(element) {
        Some(Definition::Op(Op::Cast(Leaf::U64, holds))) if code.leaf(*holds) == Leaf::Bool => {
            Some(*holds)
        }
        _ => None,
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
    let counted = counted(code, scan.folds);
    let size = code.domain_size(scan.extents, "size");
    let index = match counted {
        Some(holds) => write_holds(code, scan, holds),
        None => {
            write_combine(code, scan.folds, state);
            write_element(code, scan.extents, scan.vars, scan.body, scan.folds, state)
        }
    };
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
    let call = match counted {
        Some(_) => format!("count_row<{}>(team, {size}, holds, finish);", index.repr),
        None => format!(
            "scan_row<{}>(team, {size}, element, combine, finish);",
            index.repr
        ),
    };
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

/// Whether a point counts.
fn write_holds(code: &mut Code<'_>, scan: &Scan<'_>, holds: Value) -> Flat {
    let index = code.domain_index(scan.extents, scan.vars);
    code.open(format!(
        "const auto holds = [&](const {} {}) -> bool {{",
        index.repr, index.name
    ));
    code.point(&index, scan.extents, scan.vars);
    code.list(scan.body);
    let holds = code.full(holds).text;
    code.line(format!("return {holds};"));
    code.close("};");
    index
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
