//! The entries of a rowwise kernel: which threads form the team of which row.

use super::{Row, room};
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::{Entry, Regime, Variants};
use crate::plan::Value;

/// Widths of teams within a warp.
const WIDTHS: [u32; 4] = [4, 8, 16, 32];

/// Half of the threads that a multiprocessor has room for: with fewer, too little is in flight. Where they keep elements, ptxas
/// takes more registers than they need.
const HALF: u32 = 1024;

/// Writes every entry that suits the kernel. With one row only, threads and warps on their own are of no use.
pub(super) fn write(code: &mut Code<'_>, row: &Row, extents: &[Value]) -> Vec<Entry> {
    let mut regimes = Vec::new();
    // Where elements of one row are apart, threads beside each other do not share it.
    let across = row.across && threads(row, Regime::Columns).is_some();
    if !extents.is_empty() {
        regimes.push(Regime::Thread);
    }
    if !extents.is_empty() && !across {
        regimes.extend(WIDTHS.map(|lanes| Regime::Warp { lanes }));
    }
    if !across {
        regimes.push(Regime::Block);
    }
    if row.splits && !across {
        regimes.push(if row.scan.items > 0 {
            Regime::Chained
        } else {
            Regime::Grid
        });
    }
    if row.columns {
        regimes.extend([Regime::Columns, Regime::ColumnsGrid]);
    }
    let blocks = threads(row, Regime::Block).is_some();
    regimes.retain(|regime| threads(row, *regime).is_some());
    if !blocks && extents.is_empty() {
        regimes.push(Regime::Thread);
    }
    let mut entries = Vec::new();
    for wide in [false, true] {
        for regime in &regimes {
            // Whole warps do well enough where there are this many elements; of columns nothing else does.
            if !wide || !matches!(regime, Regime::Warp { lanes: ..32 }) {
                entries.push(write_entry(code, row, extents, *regime, wide));
            }
        }
    }
    entries
}

/// Threads per block, if what they keep in shared memory finds room.
fn threads(row: &Row, regime: Regime) -> Option<u32> {
    let state = row.state.max(1);
    match regime {
        Regime::Thread | Regime::Warp { .. } if !row.ragged => Some(256),
        Regime::Columns | Regime::ColumnsGrid => {
            room::threads(|threads| room::columns(threads, state))
        }
        _ => room::of_block(state, row.scan.bytes),
    }
}

fn write_entry(
    code: &mut Code<'_>,
    row: &Row,
    extents: &[Value],
    regime: Regime,
    wide: bool,
) -> Entry {
    let suffix = match regime {
        Regime::Elementwise | Regime::Tables => String::new(),
        Regime::Thread => "_thread".to_owned(),
        Regime::Warp { lanes } => format!("_warp_{lanes}"),
        Regime::Block => "_block".to_owned(),
        Regime::Grid => "_grid".to_owned(),
        Regime::Chained => "_chained".to_owned(),
        Regime::Columns => "_columns".to_owned(),
        Regime::ColumnsGrid => "_columns_grid".to_owned(),
        Regime::Tiled { .. }
        | Regime::Windows { .. }
        | Regime::SortRows
        | Regime::Sort { .. }
        | Regime::Merge
        | Regime::Balanced { .. } => {
            unreachable!("no rows of this kind")
        }
    };
    let name = format!("{}{suffix}{}", code.symbol, if wide { "_wide" } else { "" });
    let state = row.state.max(1);
    let threads = threads(row, regime).expect("found room");
    let entry = Entry {
        items_per_thread: if row.scan.items > 0 {
            row.scan.items
        } else {
            row.threads.items
        },
        kept: match regime {
            Regime::Warp { lanes: 32 } | Regime::Block => row.threads.kept,
            _ => 0,
        },
        partial_bytes: match regime {
            Regime::Grid => state,
            Regime::ColumnsGrid => state.next_multiple_of(4),
            Regime::Chained => 8 * state.div_ceil(4),
            _ => 0,
        },
        leaves: row.leaves
            && matches!(regime, Regime::Thread | Regime::Warp { .. } | Regime::Block),
        ..row.variants.entry(code, regime, &name, threads, wide)
    };
    let variants = Variants {
        resident: match entry.kept > 0 && row.threads.simple && !wide {
            true => HALF / threads,
            false => row.variants.resident,
        },
        ..row.variants
    };
    variants.open_entry(code, &entry);
    let index = if wide { "u64" } else { "u32" };
    let arguments = row.variants.arguments(code);
    if !extents.is_empty() {
        let rows: Vec<String> = extents
            .iter()
            .map(|extent| format!("{index}({})", code.text(*extent)))
            .collect();
        code.line(format!("const {index} row_count = {};", rows.join(" * ")));
    }
    let number = if extents.is_empty() { "" } else { ", row" };
    let call = format!("{}<{index}>(team, {arguments}{number});", row.function);
    let strided = |code: &mut Code<'_>, first: String, step: String, start: Option<&str>| {
        if extents.is_empty() {
            // One row: what would stride to further ones has nothing to do.
            code.line(format!("if ({first} > 0) return;"));
            if let Some(start) = start {
                code.line(start.replace("row", "0"));
            }
            code.line(&call);
            return;
        }
        code.open(format!(
            "for ({index} row = {first}; row < row_count; row += {step}) {{"
        ));
        if let Some(start) = start {
            code.line(start);
        }
        code.line(&call);
        code.close("}");
    };
    match regime {
        Regime::Elementwise
        | Regime::Tables
        | Regime::Tiled { .. }
        | Regime::Windows { .. }
        | Regime::SortRows
        | Regime::Sort { .. }
        | Regime::Merge
        | Regime::Balanced { .. } => {}
        Regime::Thread => {
            code.line(match row.ragged {
                true => "part_team<thread_team, 1, false> team;",
                false => "thread_team team;",
            });
            strided(
                code,
                format!("thread_of_grid<{index}>()"),
                format!("threads_of_grid<{index}>()"),
                None,
            );
            if row.ragged {
                long_rows(code, &entry, &call, 1, state);
            }
        }
        Regime::Warp { lanes } => {
            code.line(match row.ragged {
                true => format!("part_team<warp_team<{lanes}>, {lanes}, false> team;"),
                false => format!("warp_team<{lanes}> team;"),
            });
            let first = format!("thread_of_grid<{index}>() / {lanes}");
            strided(
                code,
                first,
                format!("threads_of_grid<{index}>() / {lanes}"),
                None,
            );
            if row.ragged {
                long_rows(code, &entry, &call, lanes, state);
            }
        }
        Regime::Block => {
            let (team, arguments) = if row.scan.items > 0 {
                let arguments = room::slots_and_tile(code, threads, row.scan.bytes, state);
                ("tile_team", arguments)
            } else {
                let team = match entry.leaves {
                    true => "whole_team<block_team>",
                    false => "block_team",
                };
                (team, room::slots(code, threads, state))
            };
            code.line(format!("{team} team({arguments});"));
            if entry.leaves {
                code.line("team.most = most, team.left = left;");
            }
            strided(code, "blockIdx.x".to_owned(), "gridDim.x".to_owned(), None);
        }
        Regime::Grid => {
            let slots = room::slots(code, threads, state);
            code.line("SHARED(u32, is_last, 1);");
            code.line(format!("grid_team team({slots}, is_last);"));
            let start = format!("team.start(partials, tickets, row, {});", row.state);
            strided(
                code,
                "blockIdx.y".to_owned(),
                "gridDim.y".to_owned(),
                Some(&start),
            );
        }
        Regime::Chained => {
            let arguments = room::slots_and_tile(code, threads, row.scan.bytes, state);
            code.line(format!("SHARED(u64, handed, {});", 1 + state.div_ceil(8)));
            code.line(format!("chained_team team({arguments}, handed);"));
            let start = "team.start(tickets, row);";
            strided(
                code,
                "blockIdx.y".to_owned(),
                "gridDim.y".to_owned(),
                Some(start),
            );
        }
        Regime::Columns | Regime::ColumnsGrid => {
            let slots = room::columns(threads, state);
            code.line(format!("SHARED(u64, slots, {slots});"));
            let parts = (regime == Regime::ColumnsGrid).then_some(row.state);
            if parts.is_some() {
                code.line("SHARED(u32, is_last, 1);");
            }
            if let Some(several) = &row.several {
                let (function, width) = (&several.function, several.width);
                let call = format!("{function}<{index}>(team, {arguments}, {width} * row);");
                code.open(format!("if ({}) {{", several.aligned));
                columns(code, index, &call, width, parts);
                code.line("return;");
                code.close("}");
            }
            columns(code, index, &call, 1, parts);
        }
    }
    code.close("}");
    entry
}

/// The rows that teams of so many lanes have left: each block takes those of its own.
fn long_rows(code: &mut Code<'_>, entry: &Entry, call: &str, lanes: u32, state: u32) {
    let index = if entry.index_bits == 64 { "u64" } else { "u32" };
    let slots = room::slots(code, entry.threads, state);
    code.line("// Nobody leaves while a row is left.");
    code.line("if (!__syncthreads_or(team.met)) return;");
    code.line(format!(
        "part_team<block_team, {lanes}, true> block({slots});"
    ));
    if entry.leaves {
        code.line("block.most = most, block.left = left;");
    }
    code.line(format!("const {index} rows = blockDim.x / {lanes};"));
    code.open(format!(
        "for ({index} first = {index}(blockIdx.x) * rows; first < row_count; first += gridDim.x * rows) {{"
    ));
    code.line(format!(
        "const {index} end = minimum<{index}>(first + rows, row_count);"
    ));
    let call = call.replace("(team, ", "(block, ");
    code.line(format!(
        "for ({index} row = first; row < end; ++row) {call}"
    ));
    code.close("}");
}

/// Groups of neighbouring rows, so many to a thread, whose parts have so many bytes each where several blocks share them.
fn columns(code: &mut Code<'_>, index: &str, call: &str, width: u32, parts: Option<u32>) {
    let (team, flag, axis) = match parts {
        Some(_) => ("columns_grid_team", ", is_last", "y"),
        None => ("columns_team", "", "x"),
    };
    let (rows, most) = match width {
        1 => ("row_count".to_owned(), String::new()),
        _ => (
            format!("row_count / {width}"),
            format!(", {}", (32 / width).ilog2()),
        ),
    };
    code.line(format!("{team} team(slots{flag}, {rows}{most});"));
    code.open(format!(
        "for ({index} group = blockIdx.{axis}; group < team.groups({rows}); group += gridDim.{axis}) {{"
    ));
    code.line(format!("const {index} row = team.row(group, {rows});"));
    if let Some(bytes) = parts {
        let words = (width * bytes).div_ceil(4);
        code.line(format!("team.start(partials, tickets, group, {words});"));
    }
    code.line(call);
    code.close("}");
}
