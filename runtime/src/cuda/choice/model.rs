//! How long a launch takes, in nanoseconds, by what limits it: memory, instructions, and the latency of what a thread does
//! one after the other. Only sums, products, quotients and the larger of two: the same bits everywhere.
//!
//! Instructions are those of benches/results/sass.md, other constants are calibrated to what an H200 has taken
//! (benches/results/h200.md); where one is neither, it says so.

use super::grid::group;
use super::kind::Kind;
use super::machine::Machine;
use super::tiles::{Tiles, tiles};
use super::{Sizes, WARP};
use crate::cuda::tables::Tables;
use crate::program::{Entry, Regime};

/// From a load to its use, in device memory under load.
const MEMORY: f64 = 600.0;

/// What every launch takes, whatever is in it.
pub(super) const LAUNCH: f64 = 2000.0;

/// Instructions that a multiprocessor issues in a cycle.
const ISSUED: f64 = 2.4;

/// Cycles from a sum to the next one that needs it.
const STEP: f64 = 4.0;

/// Cycles of a shuffle and what is done with its result, and of a barrier for each warp that waits at it.
const SHUFFLE: f64 = 30.0;
const BARRIER: f64 = 25.0;

/// Instructions of a team beside those of the elements: indices, conditions, the result.
const TEAM: f64 = 16.0;

/// Bytes that a stretch of neighbouring bytes costs beside its own: a sector.
const SECTOR: f64 = 32.0;

/// Elements of an access of a thread, at most, and bytes of an element: as of `f32`.
const PACK: f64 = 4.0;
const ELEMENT: f64 = 4.0;

/// Of what does not limit a launch this part shows: nothing overlaps all the time.
const SHOWN: f64 = 1.0 / 8.0;

/// Of the bandwidth this part is reached.
const REACHED: f64 = 7.0 / 8.0;

/// Instructions of an element that looks at its neighbours: at the edges and by itself, and within a tile. One at the edge of
/// a tile takes a little longer than by itself, as its accesses are no packs (not measured).
const EDGE: f64 = 41.0;
const ALONE: f64 = 35.0;
const WITHIN: f64 = 15.5;

/// Instructions of a step of equal shares.
const SHARE: f64 = 147.0;

/// Instructions of a point that meets a table, or its target.
const OF_TABLE: f64 = 14.0;

/// Bytes of device memory for which L2 could do an atomic operation instead: 64M of them at random take 703 us. One in a cycle
/// is done of so many neighbouring targets (not measured).
const OF_ATOMIC: f64 = 52.0;
const BESIDE: f64 = 16.0;

/// The parts of a time.
#[derive(Clone, Copy, Default)]
struct Parts {
    /// Bytes that are moved.
    bytes: f64,
    /// Instructions of warps.
    instructions: f64,
    /// What threads wait for, one after the other, on as many threads as there is room for.
    latency: f64,
    /// What is left when most threads have nothing to do any more.
    tail: f64,
}

impl Parts {
    fn time(self, machine: &Machine) -> f64 {
        // What L2 holds comes twice as fast.
        let bytes = self.bytes - self.bytes.min(machine.cache) / 2.0;
        let memory = bytes / (REACHED * machine.bandwidth);
        let issue = self.instructions / (ISSUED * machine.clock * machine.count());
        let limit = memory.max(issue).max(self.latency);
        let rest = memory + issue + self.latency - limit;
        LAUNCH + limit + SHOWN * rest + self.tail
    }
}

impl Machine {
    fn count(&self) -> f64 {
        f64::from(self.multiprocessors)
    }

    fn cycles(&self, cycles: f64) -> f64 {
        cycles / self.clock
    }
}

/// Indices of 64 bits take more instructions.
fn width(entry: &Entry) -> f64 {
    match entry.narrow {
        true => 1.0,
        false => 1.25,
    }
}

/// Of so many tasks, those that one place of so many gets, if there is at least one for each.
fn waves(tasks: f64, places: f64) -> f64 {
    (tasks / places.max(1.0)).max(1.0)
}

/// Whether some places have a task more than others, when all are done: none where all tasks find a place at once.
fn last(tasks: f64, places: f64) -> f64 {
    (tasks / places.max(1.0) - 1.0).clamp(0.0, 1.0)
}

/// The time of a launch of this entry. `threads`: of a block.
pub(super) fn time(
    entry: &Entry,
    threads: u32,
    kind: Kind,
    sizes: Sizes,
    inner: u64,
    scalars: &[u64],
    machine: &Machine,
) -> f64 {
    if let Some(tiles) = tiles(entry.regime, sizes.rows, scalars) {
        return match entry.regime {
            Regime::Windows { .. } => windows(entry, tiles, machine),
            _ => contraction(entry, tiles, inner, machine),
        };
    }
    match entry.regime {
        Regime::Elementwise => elementwise(entry, kind, sizes, machine),
        Regime::Tables => scatter_by_tables(entry, sizes, machine),
        // One tile for each row has one launch, and all else alike.
        Regime::SortRows => LAUNCH,
        Regime::Sort { .. } | Regime::Merge => 2.0 * LAUNCH,
        _ => rows(entry, threads, kind, sizes.rows, inner, machine),
    }
}

/// Independent elements, or points that combine where they go.
fn elementwise(entry: &Entry, kind: Kind, sizes: Sizes, machine: &Machine) -> f64 {
    let points = sizes.rows as f64;
    let tasks = points / f64::from(entry.items.max(1));
    // What points combine into is in L2.
    let (instructions, bytes) = match kind.scatters {
        true => (OF_TABLE, ELEMENT),
        false => (ALONE, 2.0 * ELEMENT),
    };
    let chain = MEMORY + machine.cycles(instructions * f64::from(entry.items));
    let mut parts = Parts {
        bytes: bytes * points,
        instructions: instructions * points / WARP as f64 * width(entry),
        latency: chain * waves(tasks, machine.count() * machine.threads),
        tail: 0.0,
    };
    if kind.scatters {
        let atomics = points / self::atomics(sizes, machine);
        parts.latency = parts.latency.max(atomics);
    }
    parts.time(machine)
}

/// Atomic operations in a nanosecond: as many as L2 does, of few targets as many as do not wait for each other.
fn atomics(sizes: Sizes, machine: &Machine) -> f64 {
    let apart = (sizes.inner() as f64 / BESIDE).max(1.0) * machine.clock;
    apart.min(machine.bandwidth / OF_ATOMIC)
}

fn scatter_by_tables(entry: &Entry, sizes: Sizes, machine: &Machine) -> f64 {
    let places = machine.multiprocessors * Tables::RESIDENT;
    let targets = sizes.inner.unwrap_or(1);
    let Some(tables) = Tables::of(entry, sizes.rows, targets, u64::from(places)) else {
        return f64::INFINITY;
    };
    let (ranges, blocks) = (f64::from(tables.ranges), f64::from(tables.blocks));
    let (points, threads) = (sizes.rows as f64, f64::from(entry.threads));
    let met = ranges * points;
    let elements = targets as f64 / ranges;
    let cleared = elements * f64::from(tables.copies);
    // A block clears its table, goes through its points and hands the table on.
    let rounds = (points / blocks / threads / f64::from(entry.items.max(1))).max(1.0);
    let atomics = blocks * targets as f64 / self::atomics(sizes, machine);
    let chain = rounds * (MEMORY + machine.cycles(OF_TABLE * STEP * f64::from(entry.items)))
        + machine.cycles(2.0 * STEP * cleared / threads)
        + MEMORY;
    Parts {
        bytes: ELEMENT * met,
        instructions: (OF_TABLE * met + ranges * blocks * 2.0 * cleared) / WARP as f64
            * width(entry),
        latency: chain + atomics,
        tail: 0.0,
    }
    .time(machine)
}

/// Elements that look at their neighbours, by tiles: those at the edges have no tile.
fn windows(entry: &Entry, tiles: Tiles, machine: &Machine) -> f64 {
    let (count, within) = (tiles.count as f64, tiles.within as f64);
    let threads = f64::from(entry.threads);
    let points = tiles.elements as f64;
    let share = within / count.max(1.0);
    let items = f64::from(entry.items);
    let rounds = share * 2.0 + (1.0 - share) * items / 2.0;
    let chain = rounds * MEMORY + machine.cycles(ALONE * items);
    Parts {
        bytes: 2.0 * ELEMENT * points,
        instructions: points * (share * WITHIN + (1.0 - share) * EDGE) / WARP as f64 * width(entry),
        latency: chain * waves(count, machine.count() * machine.threads / threads),
        tail: 0.0,
    }
    .time(machine)
}

/// A step of the folds takes all tiles of a multiprocessor this long: the model is of what products of 128 to 4096 rows took
/// in tiles of 128, 64 and 32 on an H200.
///
/// A multiprocessor that has one tile waits for the latency of a thread's steps. With more of them what counts is how much a
/// thread reads from shared memory for each of its elements. Where a thread has one element (bodies that draw each other), it
/// waits for all of its operations: 65,536 bodies take 8.9 ms so, 6.1 by a block for each.
fn contraction(entry: &Entry, tiles: Tiles, inner: u64, machine: &Machine) -> f64 {
    let Regime::Tiled { tile, .. } = entry.regime else {
        unreachable!("of products")
    };
    let threads = f64::from(entry.threads);
    let items = f64::from(tile[0] * tile[1]) / threads;
    let share = tiles.count.div_ceil(u64::from(machine.multiprocessors)) as f64;
    let latency = match items {
        ..2.0 => 130.0,
        _ => 24.0 + 1.3 * items,
    };
    let throughput = share * threads * (items * 0.0044 + 0.105);
    // Tiles that are not full ask for each element whether there is one.
    let elements = tiles.elements as f64;
    let full = elements / (tiles.count as f64 * items * threads).max(1.0);
    let step = latency.max(throughput) * (1.25 - full / 4.0) * width(entry) * H200 / machine.clock;
    let waves = waves(share * threads, machine.threads);
    Parts {
        bytes: 2.0 * ELEMENT * elements,
        instructions: TEAM * elements / WARP as f64,
        latency: inner.next_multiple_of(DEPTH) as f64 * step + waves * MEMORY,
        tail: 0.0,
    }
    .time(machine)
}

/// Steps that a tile makes at once.
const DEPTH: u64 = 16;

/// The highest clock of an H200.
const H200: f64 = 1.98;

/// The longest row of those that have lengths of their own is taken to have so many times the elements of all (not measured).
const LONGEST: f64 = 32.0;

/// Elements of a lane from which on a row is left to the block, as the prelude's `part_team` has it.
const LONG: f64 = 64.0;

/// Rows of some elements each, by teams of threads.
fn rows(entry: &Entry, threads: u32, kind: Kind, rows: u64, inner: u64, machine: &Machine) -> f64 {
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
