//! Scatters: points that combine into the elements of a target.
//!
//! What meets in an element is bracketed by the extents alone, so neither threads nor lanes change a bit. Where the target
//! is small beside the source and the operator has an identity, parts of the source have tables of their own, which are
//! combined with the target part after part. Otherwise each element is combined with what comes to it in the order of
//! the source: by one thread, or, where that would wait for memory or leave other threads idle, range after range of the
//! target, each of which stays in a cache and is in the hands of one thread.

use super::chunks::Size;
use super::dispatch::{Versions, Work};
use super::state::State;
use super::threads;
use crate::failure::Failure;
use crate::lanes::{Cast, Lanes, Mask, One, VIRTUAL, Value};
use crate::memory::Block;
use std::marker::PhantomData;

/// A kernel of a scatter: pointers and numbers. All methods are `#[inline(always)]` in generated code, but for long bodies.
pub trait Scatter: Copy + Sync {
    /// Operations per point, about.
    const COST: u32;
    /// An element of the target.
    type State: State;
    /// What the points of a row share.
    type Outer: Copy;
    /// The operator's identity, if it is known to have one.
    const IDENTITY: Option<Self::State>;
    /// What every point brings, if that is known when compiled.
    const BRINGS: Option<Self::State> = None;
    /// The domain of the points.
    fn size(&self) -> Size;
    /// The coordinates of a row.
    fn outer(&self, row: u64) -> Self::Outer;
    /// The number of elements of the target.
    fn targets(&self) -> u64;
    /// The points `first..first + W` of a row: whether they go anywhere, where to, and what they bring.
    fn points<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        failures: &Failure,
    ) -> (L::Mask, L::U64, <Self::State as State>::Of<L>);
    /// The operator.
    fn combine(&self, left: Self::State, right: Self::State, failures: &Failure) -> Self::State;
    /// An element of the target.
    fn read(&self, at: u64) -> Self::State;
    /// Changes an element of the target. Nobody else does anything with it at the time.
    fn write(&self, at: u64, state: Self::State);
    /// Notes that a point has come to an element of the target, with 63 others after it in the hands of one thread, and
    /// reports one that comes after another if that is a failure.
    fn arrive(&self, at: u64, failures: &Failure);
}

/// Points of a part that has a table of its own, at least.
const PART: u64 = 1 << 16;
/// Parts with tables of their own, at most.
const PARTS: u64 = 64;
/// Bytes of a table, at most: it stays in a cache.
const TABLE: u64 = 1 << 20;
/// Tables of at most so many bytes have [`COPIES`] for neighbouring points, so that an element need not wait for its
/// latest change.
const SMALL: usize = 8 * 1024;
const COPIES: usize = 4;
/// Operations of a point that are done at once rather than in lanes, where what it brings is known: it reads its place and
/// looks whether that is one. Places then go from memory to the table with no stop: on a Zen 4, a histogram of 256 bins
/// took 0.87 of its time in lanes, while points that had more to compute took 1.1 to 2.5 times theirs, with `exp` 25 times.
const BARE: u32 = 6;
/// Points that are computed before ranges of the target take theirs, and how many a thread computes at once.
const BLOCK: u64 = 1 << 22;
const PIECE: u64 = 1 << 13;
/// Bytes of a target that one thread takes range by range too, at least.
const LARGE: u64 = 1 << 22;
/// Bytes of a range of the target that stays in a cache; ranges per thread, at least; and so many ranges at most, whose
/// numbers are bytes.
const CACHED: usize = 1 << 18;
const SHARES: u64 = 4;
const RANGES: usize = 256;

/// Runs a kernel of a scatter.
pub fn scatter<V: Versions, S: Scatter>(kernel: &S, failures: &Failure) {
    let (size, targets) = (kernel.size(), kernel.targets());
    if targets == 0 {
        // Nobody asks for an element of an empty result.
        return;
    }
    let points = size.total();
    let run = Run {
        kernel,
        failures,
        versions: PhantomData::<V>,
    };
    let parts = (points / PART.max(4 * targets)).min(PARTS);
    match S::IDENTITY {
        Some(identity) if parts >= 2 && run.bytes() <= TABLE && size.pays(S::COST) => {
            run.in_tables(identity, parts)
        }
        _ if size.pays(S::COST) && (rayon::current_num_threads() > 1 || run.bytes() > LARGE) => {
            run.in_ranges()
        }
        _ => run.in_order(),
    }
}

/// A scatter under way.
struct Run<'a, V, S> {
    kernel: &'a S,
    failures: &'a Failure,
    versions: PhantomData<V>,
}

impl<V: Versions, S: Scatter> Run<'_, V, S> {
    /// The points of a range, counted row by row, in order: which of the [`COPIES`], the place, the state.
    fn each(&self, range: (u64, u64), take: impl FnMut(usize, u64, S::State)) {
        self.each_of::<false>(range, take);
    }

    /// `NARROW`: places fit into 32 bits.
    fn each_of<const NARROW: bool>(
        &self,
        range: (u64, u64),
        take: impl FnMut(usize, u64, S::State),
    ) {
        V::run(Points::<_, _, NARROW> {
            kernel: *self.kernel,
            range,
            take,
            failures: self.failures,
        });
    }

    fn combine_at(&self, at: u64, state: S::State) {
        self.kernel.arrive(at, self.failures);
        let there = self.kernel.read(at);
        let both = self.kernel.combine(there, state, self.failures);
        self.kernel.write(at, both);
    }

    fn in_order(&self) {
        let all = (0, self.kernel.size().total());
        self.each(all, |_, at, state| self.combine_at(at, state));
    }

    fn in_tables(&self, identity: S::State, parts: u64) {
        let targets = self.kernel.targets();
        let points = self.kernel.size().total();
        let bound = |part: u64| (u128::from(points) * u128::from(part) / u128::from(parts)) as u64;
        let small = targets as usize * size_of::<S::State>() <= SMALL / COPIES;
        let tables = threads::collect(parts, |part| {
            let range = (bound(part), bound(part + 1));
            match small {
                true => self.table::<COPIES>(range, identity),
                false => self.table::<1>(range, identity),
            }
        });
        let merge = |piece: u64| {
            for at in piece * PIECE..targets.min((piece + 1) * PIECE) {
                let there = self.kernel.read(at);
                let all = tables.iter().fold(there, |there, table| {
                    let part = table[at as usize];
                    self.kernel.combine(there, part, self.failures)
                });
                self.kernel.write(at, all);
            }
        };
        match targets > PIECE {
            true => threads::for_each(targets.div_ceil(PIECE), &merge),
            false => merge(0),
        }
    }

    /// What the points of a range combine to, by element of the target.
    fn table<const N: usize>(&self, range: (u64, u64), identity: S::State) -> Vec<S::State> {
        let targets = self.kernel.targets() as usize;
        let mut table = vec![identity; N * targets];
        let cells = &mut table[..];
        // A table is smaller than that.
        self.each_of::<true>(range, move |copy, at, state| {
            // SAFETY: points go to elements of the target.
            let there = unsafe { cells.get_unchecked_mut(copy % N * targets + at as usize) };
            *there = self.kernel.combine(*there, state, self.failures);
        });
        let (own, others) = table.split_at(targets);
        let whole = |(at, &first)| {
            let rest = others
                .chunks_exact(targets)
                .map(|copy: &[S::State]| copy[at]);
            rest.fold(first, |a, b| self.kernel.combine(a, b, self.failures))
        };
        own.iter().enumerate().map(whole).collect()
    }

    /// How large the target is.
    fn bytes(&self) -> u64 {
        self.kernel
            .targets()
            .saturating_mul(size_of::<S::State>() as u64)
    }

    fn in_ranges(&self) {
        let (points, targets) = (self.kernel.size().total(), self.kernel.targets());
        let shares = SHARES * rayon::current_num_threads() as u64;
        let owned = targets.div_ceil(shares);
        let owned = owned.min((CACHED / size_of::<S::State>().max(1)) as u64);
        let owned = owned.max(targets.div_ceil(RANGES as u64));
        // Those of a word of 64 marks have one owner.
        let shift = owned.max(64).next_power_of_two().trailing_zeros();
        let ranges = (targets.div_ceil(1 << shift)).max(1);
        // From the pool: fresh memory would cost a fault every page, more than the work.
        let room = |points: u64, bytes: usize| {
            let room = Block::new(points as usize * bytes);
            room.expect("there is memory for points on their way")
        };
        let sorted = room(
            points.min(BLOCK).next_multiple_of(PIECE),
            size_of::<Point<S>>(),
        );
        let of_piece = |piece: u64| {
            let first: *mut Point<S> = sorted.pointer().cast();
            first.wrapping_add((piece * PIECE) as usize)
        };
        let mut first = 0;
        while first < points {
            let last = points.min(first + BLOCK);
            let pieces = threads::collect((last - first).div_ceil(PIECE), |piece| {
                let begin = first + piece * PIECE;
                let own = room(PIECE, 2 * size_of::<Point<S>>() + 1);
                let piece_of = (begin, last.min(begin + PIECE));
                let ends = self.by_range(piece_of, shift, own.pointer(), of_piece(piece));
                ends[..ranges as usize].to_vec()
            });
            threads::for_each(ranges, &|range| {
                for (piece, ends) in pieces.iter().enumerate() {
                    let begin = (range as usize)
                        .checked_sub(1)
                        .map_or(0, |before| ends[before]);
                    let count = (ends[range as usize] - begin) as usize;
                    let gone = of_piece(piece as u64).wrapping_add(begin as usize);
                    // SAFETY: written by `by_range`.
                    for &(at, state) in unsafe { std::slice::from_raw_parts(gone, count) } {
                        self.combine_at((range << shift) + u64::from(at), state);
                    }
                }
            });
            first = last;
        }
    }

    /// Writes the points of a piece to `to`, in the order of their ranges of `1 << shift` elements; where each range ends.
    fn by_range(
        &self,
        piece: (u64, u64),
        shift: u32,
        own: *mut u8,
        to: *mut Point<S>,
    ) -> [u32; RANGES] {
        let gone: *mut Point<S> = own.cast();
        let sorted = gone.wrapping_add(PIECE as usize);
        let range_of: *mut u8 = sorted.wrapping_add(PIECE as usize).cast();
        let mut ends = [0; RANGES];
        let (counts, within) = (&mut ends, (1u64 << shift) - 1);
        let mut next = 0;
        // What it changes is its own, so that the next place is no affair of memory.
        self.each(piece, move |_, at, state| {
            let range = (at >> shift) as u8;
            // SAFETY: there is room for all points of a piece.
            unsafe {
                gone.add(next).write(((at & within) as u32, state));
                range_of.add(next).write(range);
            }
            counts[usize::from(range)] += 1;
            next += 1;
        });
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        for k in 0..sum as usize {
            // SAFETY: written above; there is room for all points of a piece.
            unsafe {
                let end = &mut ends[usize::from(*range_of.add(k))];
                sorted.add(*end as usize).write(*gone.add(k));
                *end += 1;
            }
        }
        // In one go: line by line in any order, each would wait for memory.
        // SAFETY: as above.
        unsafe { to.copy_from_nonoverlapping(sorted, sum as usize) };
        ends
    }
}

/// A point on its way: its place within a range of the target, and what it brings.
type Point<S> = (u32, <S as Scatter>::State);

/// Points of a scatter, of which `take` gets which of the [`COPIES`] it is for, place and state. `NARROW`: places go
/// from vectors to memory in 32 bits, half of the bytes.
struct Points<'a, S, T, const NARROW: bool> {
    /// Its own, so that nothing that `take` writes may have changed it.
    kernel: S,
    range: (u64, u64),
    take: T,
    failures: &'a Failure,
}

impl<S: Scatter, T: FnMut(usize, u64, S::State), const NARROW: bool> Work
    for Points<'_, S, T, NARROW>
{
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let columns = self.kernel.size().columns;
        let (mut point, last) = self.range;
        let mut waiting = Waiting::default();
        while point < last {
            let (row, begin) = (point / columns, point % columns);
            let end = columns.min(begin + (last - point));
            let outer = self.kernel.outer(row);
            let mut column = begin;
            if const { NARROW && S::BRINGS.is_some() && S::COST <= BARE } {
                while column + (COPIES as u64) <= end {
                    self.bare(outer, column);
                    column += COPIES as u64;
                }
            }
            while column + L::W as u64 <= end {
                self.lanes::<L>(outer, column, column - begin, &mut waiting);
                column += L::W as u64;
            }
            self.take_waiting::<L>(&mut waiting);
            while column < end {
                self.lanes::<One>(outer, column, column - begin, &mut waiting);
                column += 1;
            }
            point = row * columns + end;
        }
    }
}

/// Points of the last lanes that all go somewhere, in memory: on a Zen 4, a place that was taken from a lane cost 2.9 ns, one
/// that was loaded 0.4 (why is not known). And not those of the same lanes, which are on their way to memory still.
#[repr(align(64))]
struct Waiting<State> {
    places: [[u32; VIRTUAL]; 2],
    states: [[State; VIRTUAL]; 2],
    /// Whose turn it is to be written.
    turn: usize,
    any: bool,
}

impl<S: State> Default for Waiting<S> {
    fn default() -> Self {
        Waiting {
            places: [[0; VIRTUAL]; 2],
            states: [[S::ZERO; VIRTUAL]; 2],
            turn: 0,
            any: false,
        }
    }
}

impl<S: Scatter, T: FnMut(usize, u64, S::State), const NARROW: bool> Points<'_, S, T, NARROW> {
    /// Points from `column` on, one for each of the copies.
    #[inline(always)]
    fn bare(&mut self, outer: S::Outer, column: u64) {
        for copy in 0..COPIES {
            let column = column + copy as u64;
            let (some, at, _) = self.kernel.points::<One>(outer, column, self.failures);
            if let (true, Some(state)) = (some.all(), S::BRINGS) {
                (self.take)(copy, at.lane(0), state);
            }
        }
    }

    /// Points from `column` on, which is the one of number `past` here.
    #[inline(always)]
    fn lanes<L: Lanes>(
        &mut self,
        outer: S::Outer,
        column: u64,
        past: u64,
        waiting: &mut Waiting<S::State>,
    ) {
        let (some, at, states) = self.kernel.points::<L>(outer, column, self.failures);
        if const { NARROW && L::W % COPIES == 0 } && some.all() {
            let turn = waiting.turn;
            let at: L::U32 = at.cast();
            for (lane, place) in waiting.places[turn & 1][..L::W].iter_mut().enumerate() {
                *place = at.lane(lane);
            }
            if S::BRINGS.is_none() {
                S::State::spread::<L>(states, &mut waiting.states[turn & 1][..L::W]);
            }
            std::hint::black_box(&mut *waiting);
            self.take_waiting::<L>(waiting);
            (waiting.turn, waiting.any) = (turn ^ 1, true);
            return;
        }
        self.take_waiting::<L>(waiting);
        let (mut places, mut all) = ([0; VIRTUAL], [S::State::ZERO; VIRTUAL]);
        let (places, all) = (&mut places[..L::W], &mut all[..L::W]);
        for (lane, place) in places.iter_mut().enumerate() {
            *place = at.lane(lane);
        }
        S::State::spread::<L>(states, all);
        let every = some.all();
        for lane in 0..L::W {
            if every || some.lane(lane) {
                let copy = (past as usize + lane) % COPIES;
                (self.take)(copy, places[lane], all[lane]);
            }
        }
    }

    /// Takes the points that wait, if any. Copies take turns; each has instructions of its own in a loop over [`COPIES`] at a
    /// time, since a processor predicts by instruction whether a load must wait for a store.
    #[inline(always)]
    fn take_waiting<L: Lanes>(&mut self, waiting: &mut Waiting<S::State>) {
        if !std::mem::take(&mut waiting.any) {
            return;
        }
        let last = (waiting.turn ^ 1) & 1;
        let (places, states) = (&waiting.places[last], &waiting.states[last]);
        let turns = places[..L::W].chunks_exact(COPIES);
        for (places, states) in turns.zip(states.chunks_exact(COPIES)) {
            for copy in 0..COPIES {
                let state = S::BRINGS.unwrap_or(states[copy]);
                (self.take)(copy, places[copy].into(), state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::Build;
    use super::*;
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// Float sums by key; a key that is no index goes nowhere. `KNOWN`: they have an identity. `SAME`: of ones.
    struct Sums<const KNOWN: bool, const SAME: bool> {
        columns: u64,
        keys: Vec<u32>,
        sums: Vec<AtomicU32>,
    }

    fn value<const SAME: bool>(point: usize) -> f32 {
        match SAME {
            true => 1.0,
            false => 1.0 / (1 + point % 1000) as f32,
        }
    }

    impl<const KNOWN: bool, const SAME: bool> Scatter for &Sums<KNOWN, SAME> {
        const COST: u32 = if SAME { BARE } else { 8 };
        type State = (f32,);
        type Outer = u64;
        const IDENTITY: Option<(f32,)> = if KNOWN { Some((-0.0,)) } else { None };
        const BRINGS: Option<(f32,)> = if SAME { Some((1.0,)) } else { None };
        fn size(&self) -> Size {
            Size {
                rows: self.keys.len() as u64 / self.columns,
                columns: self.columns,
            }
        }
        fn outer(&self, row: u64) -> u64 {
            row
        }
        fn targets(&self) -> u64 {
            self.sums.len() as u64
        }
        #[inline(always)]
        fn points<L: Lanes>(
            &self,
            row: u64,
            first: u64,
            _: &Failure,
        ) -> (L::Mask, L::U64, (L::F32,)) {
            let (mut some, mut at) = (
                <L::Mask as Value>::splat(false),
                <L::U64 as Value>::splat(0),
            );
            let mut x = <L::F32 as Value>::splat(0.0);
            for lane in 0..L::W {
                let point = (row * self.columns + first) as usize + lane;
                let key = self.keys[point];
                some = some.with_lane(lane, (key as usize) < self.sums.len());
                at = at.with_lane(lane, u64::from(key));
                x = x.with_lane(lane, value::<SAME>(point));
            }
            (some, at, (x,))
        }
        fn combine(&self, (a,): (f32,), (b,): (f32,), _: &Failure) -> (f32,) {
            (a + b,)
        }
        fn read(&self, at: u64) -> (f32,) {
            (f32::from_bits(self.sums[at as usize].load(Relaxed)),)
        }
        fn write(&self, at: u64, (x,): (f32,)) {
            self.sums[at as usize].store(x.to_bits(), Relaxed);
        }
        fn arrive(&self, _: u64, _: &Failure) {}
    }

    fn sums<const KNOWN: bool, const SAME: bool>(
        columns: u64,
        targets: u32,
        threads: usize,
    ) -> Vec<f32> {
        let points = 300_000 / columns * columns;
        let hash = |k: u64| (k as u32).wrapping_mul(2_654_435_761) >> 9;
        let kernel = Sums::<KNOWN, SAME> {
            columns,
            keys: (0..points)
                .map(|k| hash(k) % (targets + targets / 8))
                .collect(),
            sums: (0..targets)
                .map(|_| AtomicU32::new(1f32.to_bits()))
                .collect(),
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || scatter::<Build<false>, _>(&&kernel, &Failure::default());
        pool.expect("threads can be started").install(run);
        let exact = |at: usize| {
            let own = (0..points as usize).filter(|&k| kernel.keys[k] as usize == at);
            1.0 + own.map(|k| f64::from(value::<SAME>(k))).sum::<f64>()
        };
        let found: Vec<f32> = (0..u64::from(targets))
            .map(|at| (&kernel).read(at).0)
            .collect();
        for at in [0, found.len() / 2, found.len() - 1] {
            let close = (f64::from(found[at]) / exact(at) - 1.0).abs() < 1e-3;
            assert!(
                close,
                "{columns} {targets}: {} for {}",
                found[at],
                exact(at)
            );
        }
        found
    }

    #[test]
    fn threads_change_no_bit() {
        for (columns, targets) in [(300_000, 64), (300_000, 9000), (7, 9), (1000, 200_000)] {
            let known = sums::<true, false>(columns, targets, 1);
            assert_eq!(known, sums::<true, false>(columns, targets, 3));
            let same = sums::<true, true>(columns, targets, 1);
            assert_eq!(same, sums::<true, true>(columns, targets, 3));
            let unknown = sums::<false, false>(columns, targets, 1);
            assert_eq!(unknown, sums::<false, false>(columns, targets, 3));
        }
    }
}
