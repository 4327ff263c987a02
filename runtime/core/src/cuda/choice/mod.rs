//! Which variant of a kernel runs on this many rows of this many elements, on how many blocks, with how much memory.

mod grid;
mod kind;
mod machine;
mod model;
mod rows;
mod scratch;
mod tiles;

pub(super) use grid::grid;
pub(super) use machine::{Attributes, Machine};
pub(super) use scratch::{chained, merges, sort_scratch};
pub(super) use tiles::tiles;

use super::tables::Tables;
use crate::program::{Entry, Regime};
use kind::Kind;
use model::time;

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
            let axes = segments.map_or(1, |segments| rows / scalars[segments].max(1));
            Some(axes.saturating_mul(scalars[axis]))
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
    machine: &Machine,
) -> Option<(usize, u64)> {
    let first = &entries[first];
    let takes = |entry: &Entry| axes(entry.regime, rows, scalars);
    let second = entries
        .iter()
        .position(|entry| takes(entry).is_some() && entry.narrow == first.narrow)?;
    let elements = takes(&entries[second])?;
    let most = (elements / (8 * u64::from(machine.multiprocessors))).max(1 << 14);
    (first.leaves && takes(first).is_none() && elements > most).then_some((second, most))
}

/// Whether indices of 32 bits will do.
pub(super) fn is_small(entry: &Entry, entries: &[Entry], sizes: Sizes, scalars: &[u64]) -> bool {
    const SMALL: u64 = 1 << 31;
    let inner = average(entries, sizes, scalars);
    sizes.longest.max(sizes.rows).max(inner) < SMALL
        && entry.small.iter().all(|&k| scalars[k] < SMALL)
}

/// Threads of a block of this entry for each of so many rows of so many elements. Where they keep elements, there are no more
/// than keep a row, and as many of these as take the least time: the fewer there are, the less they wait for each other.
pub(super) fn threads(
    entries: &[Entry],
    entry: &Entry,
    sizes: Sizes,
    inner: u64,
    scalars: &[u64],
    machine: &Machine,
) -> u32 {
    threads_and_time(
        entry,
        Kind::of(entries, sizes),
        sizes,
        inner,
        scalars,
        machine,
    )
    .0
}

/// The same, and what the launch takes by the model, in nanoseconds.
fn threads_and_time(
    entry: &Entry,
    kind: Kind,
    sizes: Sizes,
    inner: u64,
    scalars: &[u64],
    machine: &Machine,
) -> (u32, f64) {
    let time = |threads: u32| time(entry, threads, kind, sizes, inner, scalars, machine);
    if entry.regime != Regime::Block || entry.kept == 0 {
        return (entry.threads, time(entry.threads));
    }
    let keep = |threads: &u32| u64::from(threads * entry.kept) >= inner;
    let all = [64, 128, 256, 512].into_iter();
    let fewer = all.filter(|threads| *threads < entry.threads).filter(keep);
    let whole = (entry.threads, time(entry.threads));
    let timed = fewer.map(|threads| (threads, time(threads)));
    timed.chain([whole]).min_by(sooner).unwrap_or(whole)
}

fn sooner<T>((_, one): &(T, f64), (_, other): &(T, f64)) -> std::cmp::Ordering {
    one.total_cmp(other)
}

/// The variant for this many rows of this many elements: of those that are right for the sizes the one that takes the least
/// time by the model, the first of equals. It depends on nothing but the arguments, so that floats are folded in the same
/// brackets whenever one program runs on devices of one kind.
pub(super) fn choose(
    entries: &[Entry],
    sizes: Sizes,
    scalars: &[u64],
    machine: &Machine,
) -> Option<usize> {
    timed(entries, sizes, scalars, machine)
        .min_by(sooner)
        .map(|(at, _)| at)
}

/// The variants that are right for the sizes, each with what it takes by the model, in nanoseconds.
fn timed(
    entries: &[Entry],
    sizes: Sizes,
    scalars: &[u64],
    machine: &Machine,
) -> impl Iterator<Item = (usize, f64)> {
    let (kind, inner) = (Kind::of(entries, sizes), average(entries, sizes, scalars));
    let right = move |entry: &Entry| is_right(entry, entries, sizes, inner, scalars);
    let all = entries
        .iter()
        .enumerate()
        .filter(move |(_, entry)| right(entry));
    all.map(move |(at, entry)| {
        let (_, time) = threads_and_time(entry, kind, sizes, inner, scalars, machine);
        (at, time)
    })
}

/// Whether an entry may be launched for these sizes.
fn is_right(entry: &Entry, entries: &[Entry], sizes: Sizes, inner: u64, scalars: &[u64]) -> bool {
    let fits = match entry.regime {
        // A scan by several blocks needs to know its tiles.
        Regime::Chained => sizes.inner.is_some(),
        Regime::SortRows => inner <= u64::from(entry.threads * entry.items),
        Regime::Tables => (sizes.inner).is_some_and(|targets| Tables::fits(entry, targets)),
        _ => true,
    };
    fits && (!entry.narrow || is_small(entry, entries, sizes, scalars))
}

/// The tables of a scatter's blocks. A multiprocessor has a place for so many of them or fewer.
pub(super) fn tables(
    entry: &Entry,
    sizes: Sizes,
    machine: &Machine,
    resident: u32,
) -> Option<Tables> {
    let targets = sizes.inner.filter(|_| entry.regime == Regime::Tables)?;
    let resident = resident.min(Tables::RESIDENT) * machine.multiprocessors;
    Tables::of(entry, sizes.rows, targets, u64::from(resident))
}

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(super) mod tests;
