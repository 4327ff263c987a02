//! How long rows of some elements each take by teams of threads.

use super::WARP;
use super::grid::group;
use super::kind::Kind;
use super::machine::Machine;
use super::model::{ELEMENT, ISSUED, MEMORY, Parts, STEP, TEAM, last, waves, width};
use crate::program::{Entry, Regime};

/// Cycles of a shuffle and what is done with its result, and of a barrier for each warp that waits at it.
const SHUFFLE: f64 = 30.0;
const BARRIER: f64 = 25.0;

/// Bytes that a stretch of neighbouring bytes costs beside its own: a sector.
const SECTOR: f64 = 32.0;

/// Instructions of a step of equal shares.
const SHARE: f64 = 147.0;

/// Elements of an access of a thread, at most.
const PACK: f64 = 4.0;

/// The longest row of those that have lengths of their own is taken to have so many times the elements of all (not measured).
const LONGEST: f64 = 32.0;

/// Elements of a lane from which on a row is left to the block, as the prelude's `part_team` has it.
const LONG: f64 = 64.0;

/// Rows of some elements each, by teams of threads.
pub(super) fn rows(
    entry: &Entry,
    threads: u32,
    kind: Kind,
    rows: u64,
    inner: u64,
    machine: &Machine,
) -> f64 {
    let (count, elements) = (rows as f64, inner as f64);
    let block = f64::from(threads);
    let items = f64::from(entry.items.max(1));
    let mut places = machine.count() * kind.resident(entry, machine) / block;
    // Blocks of a row or group, threads of a team for a row, rows of a team.
    let (mut blocks, mut lanes, mut of_team) = (1.0, block, 1.0);
    let mut extra = 0.0;
    let mut columns = false;
    match entry.regime {
        Regime::Thread => (lanes, places) = (1.0, places * block),
        Regime::Warp { lanes: part } => {
            lanes = f64::from(part);
            places *= block / lanes;
        }
        Regime::Columns | Regime::ColumnsGrid => {
            of_team = group(rows) as f64;
            lanes = block / of_team;
            columns = true;
        }
        Regime::Balanced { .. } => return shares(entry, kind, rows, inner, machine),
        _ => {}
    }
    let teams = (count / of_team).max(1.0);
    if matches!(
        entry.regime,
        Regime::Grid | Regime::ColumnsGrid | Regime::Chained
    ) {
        let useful = (elements / (lanes * items)).max(1.0);
        blocks = useful.min((places / teams).max(1.0));
        if columns {
            blocks = blocks.min(elements.max(1.0).sqrt());
        }
        // A ticket, and what the others have left for the last block; or the states of earlier tiles.
        extra = match kind.scans {
            true => 2.0 * MEMORY,
            false => kind.latency(FINISH) + machine.cycles(STEP * blocks / block),
        };
    }
    // Elements of a thread, in packs.
    let packed = PACK.min(items);
    let taken = (elements / (lanes * blocks * packed)).ceil().max(1.0) * packed;
    // What a thread keeps it has asked for at once; what is beyond that is read again.
    let beyond = kind.beyond(entry, taken);
    let rounds = match entry.kept {
        0 => (taken / items).ceil(),
        _ => 1.0 + (2.0 * beyond / items).ceil(),
    };
    let warps = (block / WARP as f64).max(1.0);
    let is_block = lanes * of_team >= block;
    let shuffles = f64::from((lanes as u64).clamp(1, WARP).ilog2());
    let barriers = if is_block {
        2.0 + kind.barriers() * rounds
    } else {
        0.0
    };
    // Across rows the lanes of a warp are beside each other.
    let across = columns || (kind.columns && entry.regime == Regime::Thread);
    let whole = taken <= packed;
    let stretch = match (across, whole) {
        (true, _) => count.min(WARP as f64) * ELEMENT * packed,
        (false, true) => f64::from(threads) * packed * ELEMENT,
        (false, false) => (lanes * packed).min(elements.max(1.0)) * ELEMENT,
    };
    // An access of a warp whose lanes are apart is one for each of so many lines; what it has of their bytes beside its own
    // is found in L1 while rows are short.
    let lone = !across && entry.regime == Regime::Thread;
    let short = match lone {
        true => (elements / WARP as f64).min(1.0),
        false => 1.0,
    };
    let lines = match lone {
        _ if kind.columns && !across && count > 1.0 => taken * WARP as f64,
        true if elements > packed => taken * WARP as f64 * short,
        _ => 0.0,
    };
    let finish = shuffles * SHUFFLE + barriers * warps * BARRIER;
    let busy = rounds * kind.latency(MEMORY) + machine.cycles(taken * kind.step() + lines + finish);
    let chain = kind.latency(kind.before()) + busy + extra;
    let of_element = match lone {
        true => taken * kind.instructions() + lines / packed * ISSUED,
        false => taken * kind.instructions(),
    };
    let of_team_warps = lanes * of_team / WARP as f64;
    let ends = TEAM + shuffles * 2.0 + barriers * 10.0;
    let of_rows = lanes / WARP as f64 * of_element * count;
    let instructions = blocks * (of_rows + of_team_warps * ends * teams);
    let passes = 1.0 + beyond / taken;
    // What other rows have between these bytes is moved, too, and seldom found in a cache.
    let beside = match kind.columns && !across {
        true => 1.0 + (count.min(WARP as f64) - 1.0) / 16.0,
        false => 1.0,
    };
    let own = kind.bytes() + kind.bytes().min(ELEMENT) * SECTOR / stretch * short;
    let bytes = count * (own * passes * elements * beside + 2.0 * ELEMENT);
    // Of rows with lengths of their own the last ones to end are the longest, which a block takes where they are long for a
    // part of it.
    let longest = match kind.ragged {
        true => {
            let longest = LONGEST.min(count) * elements;
            let own = longest.min(match is_block {
                true => longest,
                false => LONG * lanes,
            });
            let left = match own < longest {
                true => longest / f64::from(entry.threads),
                false => 0.0,
            };
            (own / lanes + left) / items * MEMORY / 2.0
        }
        false => 0.0,
    };
    let unequal = kind.unequal(lanes);
    let parts = Parts {
        bytes: bytes * unequal,
        instructions: instructions * width(entry) * unequal,
        latency: chain * waves(teams * blocks, places) * unequal,
        tail: chain / 2.0 * last(teams * blocks, places) + longest,
    };
    parts.time(machine)
}

/// From the ticket of a block that is ready to the result of all.
const FINISH: f64 = 4.0 * MEMORY;

/// Rows of lengths of their own in equal shares of elements and rows.
fn shares(entry: &Entry, kind: Kind, rows: u64, inner: u64, machine: &Machine) -> f64 {
    let steps = rows as f64 * (1.0 + inner as f64);
    let block = f64::from(entry.threads);
    let tiles = (steps / (block * f64::from(entry.items.max(1)))).max(1.0);
    let places = machine.count() * kind.resident(entry, machine) / block;
    // A tile searches for its rows, then waits for what comes before it.
    let chain = 8.0 * MEMORY + machine.cycles(SHARE * STEP * f64::from(entry.items));
    Parts {
        bytes: kind.bytes() * steps,
        instructions: SHARE * steps / WARP as f64 * width(entry),
        latency: chain * waves(tiles, places),
        tail: chain / 2.0 * last(tiles, places) + 8.0 * MEMORY,
    }
    .time(machine)
}
