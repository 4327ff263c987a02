//! Staged kernels: a block works on a row stage by stage, over arrays in its shared memory.
//!
//! One function does a row; it gets the arrays as pointers, which change places between stages. Between stages the
//! threads wait for each other, and leave the row if one of them has failed.

use super::body::Code;
use super::{Entry, Regime, Variants};
use crate::plan::{Room, Stage, Statement, Value};

/// Threads per block, at most.
const THREADS: u32 = 256;

/// The parts of the skeleton.
pub(super) struct Staged<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) rooms: &'k [Room],
    pub(super) stages: &'k [Stage],
    pub(super) points: u64,
}

/// Writes the function of a row and the entries.
pub(super) fn write(mut code: Code<'_>, staged: &Staged<'_>) -> (String, Vec<Entry>) {
    let kernel = code.kernel;
    let variants = Variants::of(&code);
    let function = format!("{}_row", code.symbol);
    let names = code.buffers[kernel.buffers.len()..].to_vec();
    code.line("template <class Index>");
    // In the order of `Variants::arguments`.
    let mut parameters = vec![variants.parameters(&code, true)];
    let rooms = staged.rooms.iter().zip(&names);
    parameters.extend(rooms.map(|(room, name)| format!("{}* {name}", room.leaf.name())));
    let row = match staged.extents {
        [] => None,
        extents => Some(code.domain_index(extents, staged.vars)),
    };
    if let Some(row) = &row {
        parameters.push(format!("const {} {}", row.repr, row.name));
    }
    let parameters = Variants::broken(&parameters.join(", "));
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    if let Some(row) = &row {
        code.point(row, staged.extents, staged.vars);
    }
    // Whether something has failed in a stage for all threads alike, or in some element.
    let lost = (code.facts.checks).then(|| code.names.fresh("lost"));
    if let Some(lost) = &lost {
        code.line(format!("bool failed = false, {lost} = false;"));
    }
    stages(&mut code, staged.stages, lost.as_deref(), true);
    code.close("}");

    // Two elements a thread, as a pair of them meets.
    let threads = u32::try_from(staged.points / 2).unwrap_or(THREADS);
    let threads = threads.next_multiple_of(32).clamp(32, THREADS);
    let mut entries = Vec::new();
    for wide in [false, true] {
        let index = if wide { "u64" } else { "u32" };
        let name = format!("{}{}", code.symbol, if wide { "_wide" } else { "" });
        let entry = variants.entry(&code, Regime::Block, &name, threads, wide);
        variants.open_entry(&mut code, &entry);
        for (room, name) in staged.rooms.iter().zip(&names) {
            let (leaf, length) = (room.leaf.name(), room.length);
            code.line(format!("SHARED({leaf}, {name}, {length});"));
        }
        let mut arguments = vec![variants.arguments(&code)];
        let rows: Vec<String> = (staged.extents.iter())
            .map(|extent| format!("{index}({})", code.text(*extent)))
            .collect();
        if row.is_some() {
            arguments.push("row".to_owned());
        }
        let call = format!("{function}<{index}>({});", arguments.join(", "));
        match row.is_some() {
            false => code.line(format!("if (blockIdx.x == 0) {call}")),
            true => {
                code.line(format!("const {index} row_count = {};", rows.join(" * ")));
                code.line(format!(
                    "for ({index} row = blockIdx.x; row < row_count; row += gridDim.x) {call}"
                ));
            }
        }
        code.close("}");
        entries.push(entry);
    }
    (code.finish(), entries)
}

fn stages(code: &mut Code<'_>, list: &[Stage], lost: Option<&str>, ends: bool) {
    for (position, stage) in list.iter().enumerate() {
        match stage {
            Stage::Uniform(statements) => code.list(statements),
            Stage::Each {
                extents,
                vars,
                body,
            } => {
                each(code, extents, vars, body, lost);
                // The last stage of a row reads, and the first one stores, at points of their own only.
                if !ends || position + 1 < list.len() {
                    wait(code, lost);
                }
            }
            Stage::Swap(a, b) => {
                let (a, b) = (code.buffers[*a].clone(), code.buffers[*b].clone());
                code.line(format!("exchange({a}, {b});"));
            }
            Stage::Rounds {
                state,
                test,
                condition,
                body,
            } => code.rounds(state, test, *condition, |code| {
                stages(code, body, lost, false);
            }),
        }
    }
}

fn each(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    lost: Option<&str>,
) {
    let index = code.domain_index(extents, vars);
    let size = code.domain_size(extents, "size");
    let (repr, i) = (index.repr, &index.name);
    code.open(format!(
        "for ({repr} {i} = threadIdx.x; {i} < {size}; {i} += blockDim.x) {{"
    ));
    code.point(&index, extents, vars);
    if lost.is_some() {
        code.line("bool failed = false;");
    }
    code.list(body);
    if let Some(lost) = lost {
        code.line(format!("{lost} |= failed;"));
    }
    code.close("}");
}

/// All threads go on together, or leave the row.
fn wait(code: &mut Code<'_>, lost: Option<&str>) {
    code.line(
        "// Hazard: the next stage reads what is not there yet, or stores to what is still read.",
    );
    match lost {
        Some(lost) => code.line(format!("if (__syncthreads_or(failed || {lost})) return;")),
        None => code.line("__syncthreads();"),
    }
}
