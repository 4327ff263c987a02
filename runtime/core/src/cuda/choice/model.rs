//! How long a launch takes, in nanoseconds, by what limits it: memory, instructions, and the latency of what a thread does
//! one after the other. Only what IEEE 754 rounds in one way (sums, products, quotients, square roots): the same bits everywhere.
//!
//! Instructions are those of benches/results/sass.md, other constants are calibrated to what an H200 has taken
//! (benches/results/h200.md); where one is neither, it says so.

use super::kind::Kind;
use super::machine::Machine;
use super::rows::rows;
use super::tiles::{Tiles, tiles};
use super::{Sizes, WARP};
use crate::cuda::tables::Tables;
use crate::program::{Entry, Regime};

/// From a load to its use, in device memory under load.
pub(super) const MEMORY: f64 = 600.0;

/// What every launch takes, whatever is in it.
const LAUNCH: f64 = 2000.0;

/// Instructions that a multiprocessor issues in a cycle.
pub(super) const ISSUED: f64 = 2.4;

/// Cycles from a sum to the next one that needs it.
pub(super) const STEP: f64 = 4.0;

/// Instructions of a team beside those of the elements: indices, conditions, the result.
pub(super) const TEAM: f64 = 16.0;

/// Bytes of an element, as of `f32`.
pub(super) const ELEMENT: f64 = 4.0;

/// Of what does not limit a launch this part shows: nothing overlaps all the time.
const SHOWN: f64 = 1.0 / 8.0;

/// Of the bandwidth this part is reached.
const REACHED: f64 = 7.0 / 8.0;

/// Instructions of an element that looks at its neighbours: at the edges and by itself, and within a tile. One at the edge of
/// a tile takes a little longer than by itself, as its accesses are no packs (not measured).
const EDGE: f64 = 41.0;
const ALONE: f64 = 35.0;
const WITHIN: f64 = 15.5;

/// Instructions of a point that meets a table, or its target.
const OF_TABLE: f64 = 14.0;

/// Bytes of device memory for which L2 could do an atomic operation instead: 64M of them at random take 703 us. One in a cycle
/// is done of so many neighbouring targets (not measured).
const OF_ATOMIC: f64 = 52.0;
const BESIDE: f64 = 16.0;

/// The parts of a time.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    /// Bytes that are moved.
    pub(super) bytes: f64,
    /// Instructions of warps.
    pub(super) instructions: f64,
    /// What threads wait for, one after the other, on as many threads as there is room for.
    pub(super) latency: f64,
    /// What is left when most threads have nothing to do any more.
    pub(super) tail: f64,
}

impl Parts {
    pub(super) fn time(self, machine: &Machine) -> f64 {
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
    pub(super) fn count(&self) -> f64 {
        f64::from(self.multiprocessors)
    }

    pub(super) fn cycles(&self, cycles: f64) -> f64 {
        cycles / self.clock
    }
}

/// Indices of 64 bits take more instructions.
pub(super) fn width(entry: &Entry) -> f64 {
    match entry.narrow {
        true => 1.0,
        false => 1.25,
    }
}

/// Of so many tasks, those that one place of so many gets, if there is at least one for each.
pub(super) fn waves(tasks: f64, places: f64) -> f64 {
    (tasks / places.max(1.0)).max(1.0)
}

/// Whether some places have a task more than others, when all are done: none where all tasks find a place at once.
pub(super) fn last(tasks: f64, places: f64) -> f64 {
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
