//! Which variant of a kernel runs on this many rows of this many elements, on how many blocks, with how much memory.

use super::tables::Tables;
use crate::program::{Entry, Regime};

/// What the choice of a variant depends on.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// Independent rows, or elements.
    pub(crate) rows: u64,
    /// Elements that each row works on, of a scatter's target, or of a row that is sorted; none if each row has so many of
    /// its own, which only the kernel knows.
    pub(crate) inner: Option<u64>,
    /// The length of the longest buffer.
    pub(crate) longest: u64,
}

/// Lanes of a warp.
pub(super) const WARP: u64 = 32;

/// The grid's limit in y.
const MOST_OF_Y: u64 = 65_535;

impl Sizes {
    /// The elements of a row; if each has so many of its own, the average: the longest buffer is what they are parts of.
    pub(super) fn inner(&self) -> u64 {
        let average = || self.longest.div_ceil(self.rows.max(1)).max(1);
        self.inner.unwrap_or_else(average)
    }
}

/// The elements of a row, or how many each has on average.
pub(super) fn average(entries: &[Entry], sizes: Sizes, scalars: &[u64]) -> u64 {
    let mut axes = (entries.iter()).filter_map(|entry| axes(entry.regime, sizes.rows, scalars));
    match axes.next() {
        Some(elements) => elements.div_ceil(sizes.rows.max(1)).max(1),
        None => sizes.inner(),
    }
}

/// The elements of all rows that are segments: of all their axes.
pub(super) fn axes(regime: Regime, rows: u64, scalars: &[u64]) -> Option<u64> {
    match regime {
        Regime::Balanced { axis, segments } => {
            Some((rows / scalars[segments].max(1)).saturating_mul(scalars[axis]))
        }
        _ => None,
    }
}

/// The variant to be launched after one that may leave rows that are long for a block, if there may be such rows: with more
/// elements than `most`. None of these numbers is measured: a block goes through that many in a few dozen rounds, and more
/// than what each of eight blocks to a multiprocessor has of everything keeps all others waiting.
pub(super) fn second(
    entries: &[Entry],
    first: usize,
    rows: u64,
    scalars: &[u64],
    multiprocessors: u32,
) -> Option<(usize, u64)> {
    let first = &entries[first];
    let takes = |entry: &Entry| axes(entry.regime, rows, scalars);
    let second = entries
        .iter()
        .position(|entry| takes(entry).is_some() && entry.narrow == first.narrow)?;
    let elements = takes(&entries[second])?;
    let most = (elements / (8 * u64::from(multiprocessors.max(1)))).max(1 << 14);
    (first.leaves && takes(first).is_none() && elements > most).then_some((second, most))
}

/// Whether indices of 32 bits will do.
pub(super) fn is_small(entry: &Entry, entries: &[Entry], sizes: Sizes, scalars: &[u64]) -> bool {
    const SMALL: u64 = 1 << 31;
    let inner = average(entries, sizes, scalars);
    sizes.longest.max(sizes.rows).max(inner) < SMALL
        && entry.small.iter().all(|&k| scalars[k] < SMALL)
}

/// Whether there are too few rows for a warp each: a block has more threads for one.
fn are_few(rows: u64, multiprocessors: u32) -> bool {
    rows < 16 * u64::from(multiprocessors)
}

/// Threads of a block of this entry for each of so many rows of so many elements. Where they keep elements, there are no more
/// than keep a row: the fewer there are, the less they wait for each other.
pub(super) fn threads(entry: &Entry, rows: u64, inner: u64, multiprocessors: u32) -> u32 {
    if entry.regime != Regime::Block || entry.kept == 0 || are_few(rows, multiprocessors) {
        return entry.threads;
    }
    let needed = inner.div_ceil(u64::from(entry.kept)).next_power_of_two();
    (needed.max(2 * WARP)).min(u64::from(entry.threads)) as u32
}

/// The variant for this many rows of this many elements.
///
/// Rules of thumb (KERNELS.md): a row shorter than a few elements per lane is a thread's or a part of a warp's work; a
/// block is worth its barriers from some thousand elements on, or where a warp would not keep the row; and with fewer rows
/// than blocks that the device holds at once, long rows are shared by several blocks.
pub(super) fn choose(
    entries: &[Entry],
    sizes: Sizes,
    scalars: &[u64],
    multiprocessors: u32,
) -> Option<usize> {
    let (rows, inner) = (sizes.rows, average(entries, sizes, scalars));
    let narrow = |entry: &Entry| is_small(entry, entries, sizes, scalars);
    // Narrow where it is right, else wide.
    let find = |regime: Regime| {
        let fits = |entry: &&Entry| entry.regime == regime;
        let place = |want: bool| {
            let right =
                |entry: &Entry| fits(&entry) && entry.narrow == want && (!want || narrow(entry));
            entries.iter().position(right)
        };
        place(true).or_else(|| place(false))
    };
    let balanced = || {
        let mut regimes = entries.iter().map(|entry| entry.regime);
        find(regimes.find(|regime| matches!(regime, Regime::Balanced { .. }))?)
    };
    // The narrowest part of a warp in which a row takes at most one vector load a lane, else the whole warp. Segments are seldom
    // aligned, and have more lanes: a product of a sparse matrix with 32 elements a row takes 317 us on an H200 by 4 lanes a
    // row, 304 by 8, 281 by 16 and 397 by 32.
    let each = match sizes.inner {
        Some(_) => 4,
        None => 2,
    };
    let warp = || {
        let parts = [4u32, 8, 16, 32];
        let wanted = parts
            .iter()
            .filter(|&&lanes| inner <= u64::from(lanes) * each);
        wanted
            .chain(parts.iter().rev())
            .find_map(|&lanes| find(Regime::Warp { lanes }))
    };
    // A scan by several blocks needs to know its tiles.
    let grid = || {
        let chained = || find(Regime::Chained).filter(|_| sizes.inner.is_some());
        find(Regime::Grid).or_else(chained)
    };
    // One block goes through the tiles of a scan one after the other, with several barriers each.
    let long = match find(Regime::Chained) {
        Some(_) => 1 << 12,
        None => 1 << 14,
    };
    let device = u64::from(multiprocessors);
    if let Some(at) = find(Regime::Tables)
        && tables(&entries[at], sizes, multiprocessors, u32::MAX).is_some()
    {
        return Some(at);
    }
    // Tiles at the edges are none: of a cube they are many, of anything else that is large few.
    let near = |wanted: bool| {
        entries.iter().position(|entry| {
            let pays = |tiles: Tiles| 4 * tiles.within >= tiles.count && 2 * tiles.count >= device;
            let windows = matches!(entry.regime, Regime::Windows { .. });
            windows
                && entry.narrow == wanted
                && (!wanted || narrow(entry))
                && tiles(entry.regime, rows, scalars).is_some_and(pays)
        })
    };
    if let Some(near) = near(true).or_else(|| near(false)) {
        return Some(near);
    }
    if let Some(elementwise) = find(Regime::Elementwise) {
        return Some(elementwise);
    }
    // Tiles where they are full enough, and enough of them for the device; those that take the least time.
    let tiled = |wanted: bool| {
        let cost = |(at, entry): (usize, &Entry)| {
            let right = entry.narrow == wanted && (!wanted || narrow(entry));
            if !right || inner < 8 || !matches!(entry.regime, Regime::Tiled { .. }) {
                return None;
            }
            let tiles = tiles(entry.regime, rows, scalars)?;
            // Where a thread has one row, other rows' threads have to hide what it waits for: 65,536 bodies that draw each other
            // take 8.9 ms on an H200 so, 6.1 by a block for each.
            let enough = match entry.items {
                1 => tiles.elements >= device * 1024,
                _ => tiles.count * 8 >= device,
            };
            let pays = tiles.elements * 8 >= tiles.room && enough;
            pays.then(|| (contraction(entry, tiles.count, device), at))
        };
        let costs = entries.iter().enumerate().filter_map(cost);
        costs.min().map(|(_, at)| at)
    };
    if let Some(tiled) = tiled(true).or_else(|| tiled(false)) {
        return Some(tiled);
    }
    if let Some(merge) = find(Regime::Merge) {
        return Some(merge);
    }
    if let Some(rows) = find(Regime::SortRows) {
        let entry = &entries[rows];
        if inner <= u64::from(entry.threads * entry.items) {
            return Some(rows);
        }
        let several = |other: &Entry| matches!(other.regime, Regime::Sort { .. });
        let like = |other: &Entry| several(other) && other.narrow == entry.narrow;
        return entries.iter().position(like);
    }
    // Elements of a row that are apart are read together with those of its neighbours, where there are such.
    let apart = find(Regime::Block).is_none() || rows >= WARP;
    let columns = find(Regime::Columns).is_some() && apart;
    // Few segments that are long on average have equal shares at once. All others leave those that are long.
    if let Some(balanced) = balanced()
        && inner > 512
        && rows < 16 * device
    {
        return Some(balanced);
    }
    // What a warp keeps of a row need not be read again.
    let most_of_warp = match find(Regime::Warp { lanes: 32 }).map(|at| entries[at].kept) {
        Some(kept @ 1..) => WARP * u64::from(kept),
        _ => 2048,
    };
    let order: [&dyn Fn() -> Option<usize>; 4] =
        if columns && (rows >= device * 1024 || inner <= 32) {
            [
                &|| find(Regime::Thread),
                &|| find(Regime::Columns),
                &|| find(Regime::Block),
                &warp,
            ]
        } else if columns && inner >= 512 && rows < device * 128 {
            // A block for each 32 rows were fewer than four for each multiprocessor.
            [
                &|| find(Regime::ColumnsGrid),
                &|| find(Regime::Columns),
                &|| find(Regime::Thread),
                &|| find(Regime::Block),
            ]
        } else if columns {
            [
                &|| find(Regime::Columns),
                &|| find(Regime::Thread),
                &|| find(Regime::Block),
                &warp,
            ]
        } else if inner >= long && rows < 2 * device {
            [&grid, &|| find(Regime::Block), &warp, &|| {
                find(Regime::Thread)
            }]
        } else if inner > most_of_warp || (inner > 512 && are_few(rows, multiprocessors)) {
            [
                &|| find(Regime::Block),
                &warp,
                &|| find(Regime::Thread),
                &grid,
            ]
        } else if inner > 4 {
            [
                &warp,
                &|| find(Regime::Block),
                &|| find(Regime::Thread),
                &grid,
            ]
        } else {
            [
                &|| find(Regime::Thread),
                &warp,
                &|| find(Regime::Block),
                &grid,
            ]
        };
    order.iter().find_map(|find| find())
}

/// The tiles of a contraction, or of elements that look at their neighbours.
#[derive(Clone, Copy)]
pub(super) struct Tiles {
    pub(super) count: u64,
    /// Those that lie at no edge, at least.
    within: u64,
    /// Elements of the result, and what as many tiles have room for.
    elements: u64,
    room: u64,
}

/// The tiles of this many elements, if there are tiles.
pub(super) fn tiles(regime: Regime, elements: u64, scalars: &[u64]) -> Option<Tiles> {
    let (tile, extents) = match regime {
        Regime::Tiled {
            tile: [rows, columns],
            extents: (row, column),
        } => ([1, rows, columns], [None, row, Some(column)]),
        Regime::Windows { tile, extents } => (tile, extents),
        _ => return None,
    };
    let (mut count, mut within, mut rest, mut room) = (1u64, 1u64, elements, 1u64);
    for (points, extent) in tile.into_iter().zip(extents) {
        let extent = extent.map_or(1, |extent| scalars[extent]).max(1);
        let along = extent.div_ceil(u64::from(points));
        count = count.saturating_mul(along);
        if points > 1 {
            within = within.saturating_mul(along.saturating_sub(2));
        }
        room *= u64::from(points);
        rest /= extent;
    }
    count = count.saturating_mul(rest);
    Some(Tiles {
        count,
        within: within.saturating_mul(rest),
        elements,
        room: count.saturating_mul(room),
    })
}

/// The tables of a scatter's blocks, if they pay. A multiprocessor has a place for so many of them or fewer.
pub(super) fn tables(
    entry: &Entry,
    sizes: Sizes,
    multiprocessors: u32,
    resident: u32,
) -> Option<Tables> {
    let targets = sizes.inner.filter(|_| entry.regime == Regime::Tables)?;
    let resident = u64::from(resident.min(Tables::RESIDENT)) * u64::from(multiprocessors);
    Tables::of(entry, sizes.rows, targets, multiprocessors, resident)
}

/// What a step of the folds takes in so many tiles, in picoseconds of an H200, and how many elements all multiprocessors have
/// room for meanwhile: the model is of what products of 128 to 4096 rows took in tiles of 128, 64 and 32.
///
/// A multiprocessor that has one tile waits for the latency of a thread's steps. With more of them what counts is how much a
/// thread reads from shared memory for each of its elements.
fn contraction(entry: &Entry, tiles: u64, multiprocessors: u64) -> (u64, u64) {
    let (threads, items) = (u64::from(entry.threads), u64::from(entry.items));
    let share = tiles.div_ceil(multiprocessors);
    let latency = 30_000 + 1250 * items;
    let throughput = share * threads * (items * 44 / 10 + 105);
    (
        latency.max(throughput),
        share * multiprocessors * threads * items,
    )
}

/// Bytes of the tickets of a row of this many elements that is scanned by several blocks: counters, and a state for each
/// tile, each 32 and each 1024 of them.
pub(super) fn chained(entry: &Entry, inner: u64) -> usize {
    let tiles = inner
        .div_ceil(u64::from(entry.threads * entry.items))
        .max(1);
    let states = tiles + tiles.div_ceil(32) + tiles.div_ceil(1024);
    8 + states as usize * entry.partial as usize
}

/// Bytes that a sort of so many rows of so many elements needs zero, and in all: words for each pass and for each digit of
/// each row and pass; and two for each digit of each tile.
pub(super) fn sort_scratch(entry: &Entry, passes: u32, rows: u64, length: u64) -> [usize; 2] {
    let (passes, tile) = (u64::from(passes), u64::from(entry.threads * entry.items));
    let states = 256 * rows * length.div_ceil(tile);
    let zeros = passes + 256 * rows * passes;
    [zeros, zeros + 2 * states].map(|words| words as usize * entry.partial as usize)
}

/// Bytes that a sort by a comparison needs zero, and in all: a word for each tile, and another one; and how many launches
/// there are after the first.
pub(super) fn merges(entry: &Entry, rows: u64, length: u64) -> ([usize; 2], u64) {
    let tiles = length.div_ceil(u64::from(entry.threads * entry.items));
    let zeros = (rows * tiles) as usize * entry.partial as usize;
    let rounds = tiles.max(1).next_power_of_two().ilog2();
    ([zeros, 2 * zeros], 2 * u64::from(rounds))
}

/// Rows of a group, of so many rows whose elements are apart: as the prelude's `columns_team` has them.
fn group(rows: u64) -> u64 {
    rows.next_power_of_two().min(WARP)
}

/// Blocks in x and y.
pub(super) fn grid(entry: &Entry, rows: u64, inner: u64, resident: u64) -> (u32, u32) {
    let threads = u64::from(entry.threads);
    let items = u64::from(entry.items.max(1));
    // Several blocks share the work of a row (or of a group of rows): as many as are useful and find a place.
    let shared = |groups: u64, threads_per_row: u64| {
        let useful = inner.div_ceil(threads_per_row.max(1) * items).max(1);
        let fair = (resident / groups).max(1);
        (useful.min(fair) as u32, groups.min(MOST_OF_Y) as u32)
    };
    // Short rows share tiles.
    let rows = match entry.regime {
        Regime::Merge => rows.saturating_mul(inner).div_ceil(threads * items),
        _ => rows,
    };
    let per_block = match entry.regime {
        Regime::Elementwise => threads * items,
        Regime::Thread => threads,
        Regime::Warp { lanes } => threads / u64::from(lanes.max(1)),
        Regime::SortRows if inner <= WARP => threads / WARP,
        Regime::Block
        | Regime::Tiled { .. }
        | Regime::Windows { .. }
        | Regime::SortRows
        | Regime::Merge => 1,
        Regime::Columns => group(rows),
        Regime::Tables => unreachable!("its tables say how many blocks"),
        Regime::Grid | Regime::Chained | Regime::Balanced { .. } | Regime::Sort { .. } => {
            return shared(rows, threads);
        }
        Regime::ColumnsGrid => {
            let group = group(rows);
            let (blocks, groups) = shared(rows.div_ceil(group), threads / group);
            // The last block needs no longer for their parts than each for its own.
            return (blocks.min(inner.isqrt() as u32).max(1), groups);
        }
    };
    // All loops are grid-stride, but many blocks that end soon are better than few that go far: on an H200 a copy takes 141 us
    // by as many as the device holds at once, 135 by 4 times as many, 131 by 16 times, and 128 by one for each part.
    const WAVES: u64 = 16;
    let needed = rows.div_ceil(per_block.max(1));
    (needed.min(resident * WAVES).max(1) as u32, 1)
}

#[cfg(test)]
pub(super) mod tests;
