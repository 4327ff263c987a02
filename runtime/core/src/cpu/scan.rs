//! Scans: blocks of 32 elements in virtual lanes, each from what stands before it; chunks of blocks go to threads.
//!
//! Operands are bracketed by the extent alone: (what stands before the chunk, with the blocks before in the chunk), with the
//! elements of the block. What stands before a chunk is what the chunks before combine to: in order, as what stands before
//! a block; or, where operands may change places, in 32 lanes. So neither threads nor lanes change a bit.

use super::chunks::Size;
use super::dispatch::Work;
use super::fold::{Block, Fold, Part, block, join, living};
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Ahead, Before, Lanes, Mask, Middle, One, VIRTUAL, settle};

/// Scans of one axis, computed together: the operands and operators of a [`Fold`], and what is done at each point.
pub trait Scan: Fold {
    /// Whether anybody asks for what stands before a point.
    const BEFORE: bool;
    /// What is reduced of all points, in any order; often nothing.
    type Gathered: State;
    /// What no points come to: it changes nothing that it is combined with.
    const NOTHING: Self::Gathered;
    /// The operators of that.
    fn gather<L: Lanes>(
        left: <Self::Gathered as State>::Of<L>,
        right: <Self::Gathered as State>::Of<L>,
    ) -> <Self::Gathered as State>::Of<L>;
    /// Stores at the points `first..first + W`, at each of which the operands up to it combine to `through`, and those
    /// before it to `before`: anything at the first point, or if nobody asks. Past the caches, if `past`. Gives what is
    /// reduced.
    fn at<L: Lanes>(
        &self,
        first: u64,
        through: <Self::State as State>::Of<L>,
        before: <Self::State as State>::Of<L>,
        past: bool,
        failures: &Failure,
    ) -> <Self::Gathered as State>::Of<L>;
}

/// What is reduced of the points of a chunk, in virtual lanes.
type Gathered<L, S> = <L as Lanes>::Group<<<S as Scan>::Gathered as State>::Of<L>>;

/// What two parts of the points come to.
#[inline(always)]
pub(super) fn together<S: Scan>(left: S::Gathered, right: S::Gathered) -> S::Gathered {
    S::Gathered::one(S::gather::<One>(left.of_one(), right.of_one()))
}

/// What the lanes come to: each half with the other one.
#[inline(always)]
fn gathered<L: Lanes, S: Scan>(mut lanes: Gathered<L, S>) -> S::Gathered {
    let mut step = L::GROUPS / 2;
    while step > 0 {
        for group in 0..step {
            let right = lanes.as_ref()[group + step];
            let left = &mut lanes.as_mut()[group];
            *left = S::gather::<L>(*left, right);
        }
        step /= 2;
    }
    let mut lanes = lanes.as_ref()[0];
    macro_rules! steps {
        ($($step:literal)*) => {$(
            if $step < L::W {
                lanes = S::gather::<L>(lanes, S::Gathered::ordered::<L, Ahead<$step>>(lanes));
            }
        )*};
    }
    steps!(16 8 4 2 1);
    S::Gathered::lane::<L>(lanes, 0)
}

/// Results of so many bytes are in no cache when somebody reads them.
const LARGE: u64 = 32 << 20;

/// The first column and the end of the columns of a chunk.
type Columns = (u64, u64);

/// Chunks of a scan's axis: what the one combines to, and the points of another one. Beside each other, as the one reads
/// memory, and the other one, whose elements have been read before, writes it.
pub(super) struct ScanChunks<'a, S: Scan> {
    pub(super) scan: &'a S,
    /// The columns to be combined.
    pub(super) combines: Option<Columns>,
    /// The columns whose points are stored, with what stands before them.
    pub(super) stores: Option<(Columns, Option<S::State>)>,
    pub(super) failures: &'a Failure,
}

impl<S: Scan> Work for ScanChunks<'_, S> {
    type Result = (Option<S::State>, S::Gathered);
    /// What the elements combine to: of the chunk to be combined; if there is none, of the stored one. And what is reduced
    /// of the points of the stored one.
    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Result {
        let (scan, failures) = (self.scan, self.failures);
        let outer = scan.outer(0);
        let past = scan.size().columns * size_of::<S::State>() as u64 >= LARGE;
        let mut part = Part::<L, S>::new(self.combines.unwrap_or((0, 0)));
        let ((mut first, last), carry) = self.stores.unwrap_or(((0, 0), None));
        let mut own = None;
        let mut lanes: Gathered<L, S> = L::group(S::NOTHING.splat::<L>());
        loop {
            // Most of them: where all lanes live, and something stands before them, is known when compiled.
            while let Some(mut sum) = own
                && first + Part::<L, S>::MANY <= last
                && part.take_whole(scan, outer, failures)
            {
                let until = first + Part::<L, S>::MANY;
                while first < until {
                    let before = either(scan, carry, Some(sum), failures);
                    let points = (first, VIRTUAL);
                    let through = store_block::<L, S>(
                        scan, outer, points, before, past, &mut lanes, failures,
                    );
                    sum = join(scan, sum, through, failures);
                    first += VIRTUAL as u64;
                }
                own = Some(sum);
            }
            let taken = part.take(scan, outer, failures);
            if !taken && first >= last {
                break;
            }
            // As many as were taken.
            let until = last.min(first + Part::<L, S>::MANY);
            while first < until {
                let there = (last - first).min(VIRTUAL as u64) as usize;
                let before = either(scan, carry, own, failures);
                let points = (first, there);
                let through =
                    store_block::<L, S>(scan, outer, points, before, past, &mut lanes, failures);
                own = either(scan, own, Some(through), failures);
                first += VIRTUAL as u64;
            }
        }
        if past && self.stores.is_some() {
            settle();
        }
        let own = match self.combines {
            Some(_) => part.end(scan, failures),
            None => own,
        };
        (own, gathered::<L, S>(lanes))
    }
}

/// Stores at the points of a block, and tells what its elements combine to.
#[inline(always)]
fn store_block<L: Lanes, S: Scan>(
    scan: &S,
    outer: S::Outer,
    (first, there): (u64, usize),
    before: Option<S::State>,
    past: bool,
    gathered: &mut Gathered<L, S>,
    failures: &Failure,
) -> S::State {
    let mut lanes = block::<L, S>(scan, outer, first, there, failures);
    prefixes::<L, S>(scan, &mut lanes, there, failures);
    let (group, lane) = match there {
        VIRTUAL => (L::GROUPS - 1, L::W - 1),
        _ => ((there - 1) / L::W, (there - 1) % L::W),
    };
    let through = S::State::lane::<L>(lanes.as_ref()[group], lane);
    let points = (first, there);
    store::<L, S>(scan, points, lanes, before, past, gathered, failures);
    through
}

/// Combines what is there.
#[inline(always)]
fn either<F: Fold>(
    fold: &F,
    left: Option<F::State>,
    right: Option<F::State>,
    failures: &Failure,
) -> Option<F::State> {
    match (left, right) {
        (Some(left), Some(right)) => Some(join(fold, left, right, failures)),
        (left, right) => left.or(right),
    }
}

/// Combines what is there: seldom, so one function for all instruction sets.
#[inline(never)]
pub(super) fn both<F: Fold>(
    fold: &F,
    left: Option<F::State>,
    right: Option<F::State>,
    failures: &Failure,
) -> Option<F::State> {
    either(fold, left, right, failures)
}

/// The second half of each `2 * HALF` lanes.
const fn second<const HALF: usize>() -> u32 {
    let (mut bits, mut lane) = (0, 0);
    while lane < VIRTUAL {
        if lane & HALF != 0 {
            bits |= 1 << lane;
        }
        lane += 1;
    }
    bits
}

/// Combines each element of a block with those before it, by Sklansky's network: second halves with the last lane of first
/// halves.
#[inline(always)]
fn prefixes<L: Lanes, F: Fold>(
    fold: &F,
    lanes: &mut Block<L, F>,
    there: usize,
    failures: &Failure,
) {
    let groups = there.div_ceil(L::W);
    for group in 0..L::GROUPS.min(groups) {
        let own = &mut lanes.as_mut()[group];
        let living = living::<L>(there, group);
        macro_rules! halves {
            ($($half:literal)*) => {$(
                if $half < L::W {
                    // Nobody looks at lanes that do not live: which change is known when compiled.
                    let second = L::Mask::of_bits(const { second::<$half>() });
                    let left = F::State::ordered::<L, Middle<$half>>(*own);
                    let combined = fold.combine::<L>(left, *own, living.and(second), failures);
                    *own = F::State::select::<L>(second, combined, *own);
                }
            )*};
        }
        halves!(1 2 4 8 16);
    }
    let mut half = 1;
    while half < L::GROUPS {
        for group in (0..groups).filter(|group| group & half != 0) {
            let middle = lanes.as_ref()[group / half * half - 1];
            let left = F::State::lane::<L>(middle, L::W - 1).splat::<L>();
            let own = &mut lanes.as_mut()[group];
            *own = fold.combine::<L>(left, *own, living::<L>(there, group), failures);
        }
        half *= 2;
    }
}

/// Stores at the points of a block.
#[inline(always)]
fn store<L: Lanes, S: Scan>(
    scan: &S,
    (first, there): (u64, usize),
    lanes: Block<L, S>,
    before: Option<S::State>,
    past: bool,
    gathered: &mut Gathered<L, S>,
    failures: &Failure,
) {
    let start = before.unwrap_or(S::State::ZERO);
    let mut last = start.splat::<L>();
    for group in 0..L::GROUPS.min(there.div_ceil(L::W)) {
        let mut through = lanes.as_ref()[group];
        let live = living::<L>(there, group);
        if before.is_some() {
            through = scan.combine::<L>(start.splat::<L>(), through, live, failures);
        }
        let mut before = through;
        if S::BEFORE {
            before = S::State::ordered::<L, Before>(through);
            before = S::State::select::<L>(L::Mask::first(1), last, before);
            last = S::State::lane::<L>(through, L::W - 1).splat::<L>();
        }
        let point = first + (group * L::W) as u64;
        let there = there - group * L::W;
        let own = &mut gathered.as_mut()[group];
        if there >= L::W {
            let next = scan.at::<L>(point, through, before, past, failures);
            *own = S::gather::<L>(*own, next);
            continue;
        }
        let (mut throughs, mut befores) = ([S::State::ZERO; VIRTUAL], [S::State::ZERO; VIRTUAL]);
        S::State::spread::<L>(through, &mut throughs[..L::W]);
        S::State::spread::<L>(before, &mut befores[..L::W]);
        let mut parts = [S::NOTHING; VIRTUAL];
        S::Gathered::spread::<L>(*own, &mut parts[..L::W]);
        for (lane, part) in parts[..there].iter_mut().enumerate() {
            let (through, before) = (throughs[lane].of_one(), befores[lane].of_one());
            let next = scan.at::<One>(point + lane as u64, through, before, false, failures);
            *part = together::<S>(*part, S::Gathered::one(next));
        }
        *own = S::Gathered::gathered::<L>(&parts[..L::W]);
    }
}

/// The columns of a chunk.
pub(super) fn columns(size: Size, index: u64) -> (u64, u64) {
    size.chunk(index).columns
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::{Build, Level, Versions, choose, level};
    use super::super::rows::{Execute, Rows, row};
    use super::*;
    use crate::lanes::{Number, Value};
    use rayon::ThreadPoolBuilder;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// Affine maps of integers, which do not commute and are exact, or what does; sums of floats, which round, and of wide
    /// integers.
    #[derive(Clone, Copy)]
    struct Maps<'a, const COMMUTES: bool> {
        stored: &'a [[AtomicU32; 4]],
        total: &'a Mutex<Vec<State4>>,
    }

    type State4 = (u32, u32, f32, u64);

    fn element(at: u64) -> State4 {
        let hash = (at as u32).wrapping_mul(2_654_435_761) >> 7;
        (
            2 * hash + 1,
            hash,
            1.0 / (1 + hash % 1000) as f32,
            u64::from(hash) << 30,
        )
    }

    impl<const COMMUTES: bool> Fold for Maps<'_, COMMUTES> {
        const COST: u32 = 1000;
        const COMMUTES: bool = COMMUTES;
        const NARROW: bool = false;
        type Outer = ();
        type State = State4;
        fn size(&self) -> Size {
            Size {
                rows: 1,
                columns: self.stored.len() as u64,
            }
        }
        fn outer(&self, _: u64) {}
        #[inline(always)]
        fn element<L: Lanes>(
            &self,
            (): (),
            first: u64,
            _: L::Mask,
            _: &Failure,
        ) -> (L::U32, L::U32, L::F32, L::U64) {
            (
                Value::from_lanes(|lane| element(first + lane as u64).0),
                Value::from_lanes(|lane| element(first + lane as u64).1),
                Value::from_lanes(|lane| element(first + lane as u64).2),
                Value::from_lanes(|lane| element(first + lane as u64).3),
            )
        }
        #[inline(always)]
        fn combine<L: Lanes>(
            &self,
            (a, b, x, m): (L::U32, L::U32, L::F32, L::U64),
            (c, d, y, n): (L::U32, L::U32, L::F32, L::U64),
            _: L::Mask,
            _: &Failure,
        ) -> (L::U32, L::U32, L::F32, L::U64) {
            let second = if COMMUTES { b } else { b.mul(c) };
            (a.mul(c), second.add(d), x.add(y), m.add(n))
        }
    }

    impl<const COMMUTES: bool> Scan for Maps<'_, COMMUTES> {
        const BEFORE: bool = true;
        type Gathered = (u32, f32);
        const NOTHING: (u32, f32) = (0, -0.0);
        #[inline(always)]
        fn gather<L: Lanes>(
            (a, x): (L::U32, L::F32),
            (b, y): (L::U32, L::F32),
        ) -> (L::U32, L::F32) {
            (a.max(b), x.add(y))
        }
        #[inline(always)]
        fn at<L: Lanes>(
            &self,
            first: u64,
            through: (L::U32, L::U32, L::F32, L::U64),
            before: (L::U32, L::U32, L::F32, L::U64),
            _: bool,
            _: &Failure,
        ) -> (L::U32, L::F32) {
            for lane in 0..L::W {
                let [map, sum, earlier, wide] = &self.stored[first as usize + lane];
                wide.store((through.3.lane(lane) >> 30) as u32, Relaxed);
                map.store(through.1.lane(lane), Relaxed);
                sum.store(through.2.lane(lane).to_bits(), Relaxed);
                earlier.store(before.1.lane(lane), Relaxed);
            }
            (through.1, through.2)
        }
    }

    impl<const COMMUTES: bool> Rows for Maps<'_, COMMUTES> {
        const COST: u32 = 1000;
        fn size(&self) -> Size {
            Fold::size(self)
        }
        fn row<X: Execute>(&self, _: u64, run: X) {
            let mut total = self.total.lock().unwrap();
            let (of_all, (most, sum)) = run.scan(self);
            total.extend(of_all);
            total.push((most, 0, sum, 0));
            total.extend(run.fold(self));
        }
    }

    #[repr(align(64))]
    #[derive(PartialEq)]
    struct Lines([u8; 512]);

    /// Whether what is stored past the caches, so many elements behind a line's beginning, is what is stored.
    struct Past(usize);

    impl Work for Past {
        type Result = bool;
        #[inline(always)]
        fn run<L: Lanes>(self) -> bool {
            let mut same = true;
            macro_rules! of {
                ($($vector:ty: $leaf:ty = $value:expr;)*) => {$({
                    let [mut past, mut plain] = [(); 2].map(|()| Lines([0; 512]));
                    let to = |lines: &mut Lines| lines.0.as_mut_ptr().cast::<$leaf>().wrapping_add(self.0);
                    let x = <$vector as Value>::from_lanes($value);
                    // SAFETY: a vector has no more than 256 bytes, and the offset is no more than eight elements.
                    unsafe {
                        x.store_past(to(&mut past), true);
                        x.store(to(&mut plain));
                    }
                    settle();
                    same &= past == plain;
                })*};
            }
            of! {
                L::Mask: bool = |lane| lane % 3 == 0;
                L::U8: u8 = |lane| lane as u8 + 1;
                L::I16: i16 = |lane| lane as i16 - 5;
                L::I32: i32 = |lane| lane as i32 - 5;
                L::F32: f32 = |lane| lane as f32 + 0.5;
                L::U64: u64 = |lane| lane as u64 + 1;
                L::F64: f64 = |lane| lane as f64 - 0.5;
            }
            same
        }
    }

    #[test]
    fn past_the_caches_is_the_same_memory() {
        let best = level();
        for offset in 0..=8 {
            assert!(Build::<true>::run(Past(offset)), "one lane, {offset}");
            for level in Level::ALL.into_iter().filter(|&level| choose(level)) {
                assert!(Build::<false>::run(Past(offset)), "{level:?}, {offset}");
            }
        }
        choose(best);
    }

    /// What is stored, as bits, and the totals.
    fn run<V: Versions, const COMMUTES: bool>(
        n: usize,
        threads: usize,
    ) -> (Vec<[u32; 4]>, Vec<State4>) {
        let zeros = || [0; 4].map(AtomicU32::new);
        let stored: Vec<[AtomicU32; 4]> = (0..n).map(|_| zeros()).collect();
        let total = Mutex::default();
        let kernel = Maps::<COMMUTES> {
            stored: &stored,
            total: &total,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || row::<V, _>(&kernel, &Failure::default());
        pool.expect("threads can be started").install(run);
        let bits = |point: &[AtomicU32; 4]| [0, 1, 2, 3].map(|k| point[k].load(Relaxed));
        (
            stored.iter().map(bits).collect(),
            total.into_inner().unwrap(),
        )
    }

    #[test]
    fn neither_threads_nor_lanes_change_a_bit() {
        bits::<false>();
        bits::<true>();
    }

    fn bits<const COMMUTES: bool>() {
        let best = level();
        for n in [1, 32, 33, 129, 1024, 1500, 3000, 70_000] {
            let (stored, totals) = run::<Build<true>, COMMUTES>(n, 1);
            let mut map = (1u32, 0u32, 0u64);
            let (mut most, mut sum) = (0, 0.0);
            for (at, point) in stored.iter().enumerate() {
                let (a, b, _, m) = element(at as u64);
                assert!(at == 0 || point[2] == map.1, "before {at} of {n}");
                let second = map.1.wrapping_mul(if COMMUTES { 1 } else { a });
                map = (
                    map.0.wrapping_mul(a),
                    second.wrapping_add(b),
                    map.2.wrapping_add(m),
                );
                (most, sum) = (
                    Ord::max(map.1, most),
                    sum + f64::from(f32::from_bits(point[1])),
                );
                assert_eq!(
                    (point[0], point[3]),
                    (map.1, (map.2 >> 30) as u32),
                    "{at} of {n}"
                );
            }
            for total in [totals[0], totals[2]] {
                assert_eq!((total.0, total.1, total.3), map, "{n}");
            }
            assert_eq!(totals[1].0, most, "{n}");
            let close = (f64::from(totals[1].2) / sum - 1.0).abs() < 1e-4;
            assert!(close, "{n}: {} for {sum}", totals[1].2);
            for level in Level::ALL.into_iter().filter(|&level| choose(level)) {
                for threads in [1, 3] {
                    let (mut found, found_totals) = run::<Build<false>, COMMUTES>(n, threads);
                    found[0][2] = stored[0][2];
                    assert!(found == stored, "{n} on {level:?}, {threads} threads");
                    assert_eq!(found_totals, totals, "{n} on {level:?}, {threads} threads");
                }
            }
            choose(best);
        }
    }
}
