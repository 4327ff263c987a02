//! Sorts: each row of neighbouring points by itself, equal elements in order.
//!
//! Short rows are compared. Longer ones go through a radix sort from the least significant digit to the most significant:
//! parts of the row are counted, then each part moves its elements to where the counts of all say. A digit that all
//! elements have alike takes no pass. As equal elements keep their order there is one result, whatever the parts and threads.

use super::chunks::Size;
use super::dispatch::{Versions, Work};
use super::state::State;
use super::threads;
use crate::failure::Failure;
use crate::lanes::{Lanes, One};
use std::marker::PhantomData;

/// A kernel of a sort. All methods are `#[inline(always)]` in generated code.
pub trait Sort: Sync {
    /// Operations per point, about.
    const COST: u32;
    /// The digits from the least significant one on: which key, and how far its byte is to the left.
    const DIGITS: &'static [(usize, u32)];
    /// An element.
    type State: State;
    /// Its keys, of which the first is the most significant.
    type Keys: Copy + Ord + AsRef<[u64]>;
    /// What the points of a row of the domain share.
    type Outer: Copy;
    /// The domain of the points.
    fn size(&self) -> Size;
    /// The coordinates of a row of the domain.
    fn outer(&self, row: u64) -> Self::Outer;
    /// The number of points that are sorted together.
    fn length(&self) -> u64;
    /// The elements at the points `first..first + W` of a row of the domain.
    fn elements<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L>;
    /// The keys of an element, as numbers that compare as they do.
    fn keys(state: Self::State) -> Self::Keys;
    /// An element in one of two buffers; the first is for the result. Of leaves that are not stored there, zero.
    fn read<const BUFFER: usize>(&self, at: u64) -> Self::State;
    /// Stores an element. Nobody else does anything with its place at the time.
    fn write<const BUFFER: usize>(&self, at: u64, state: Self::State);
}

/// A leaf that has an order.
pub trait Ordered {
    /// A number that compares as the value does; floats as `total_cmp`.
    fn order(self) -> u64;
}

macro_rules! ordered {
    ($($unsigned:ty, $signed:ty;)*) => {$(
        impl Ordered for $unsigned {
            #[inline(always)]
            fn order(self) -> u64 { self.into() }
        }
        impl Ordered for $signed {
            #[inline(always)]
            fn order(self) -> u64 { (self as $unsigned ^ (1 << (<$unsigned>::BITS - 1))).into() }
        }
    )*};
}

ordered! { u8, i8; u16, i16; u32, i32; u64, i64; }

impl Ordered for bool {
    #[inline(always)]
    fn order(self) -> u64 {
        self.into()
    }
}

impl Ordered for f32 {
    #[inline(always)]
    fn order(self) -> u64 {
        let bits = self.to_bits();
        let turned = ((bits as i32 >> 31) as u32) | 1 << 31;
        (bits ^ turned).into()
    }
}

impl Ordered for f64 {
    #[inline(always)]
    fn order(self) -> u64 {
        let bits = self.to_bits();
        bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
    }
}

/// Rows of at most so many elements are compared.
const SHORT: u64 = 1 << 10;
/// Elements of such rows that a thread sorts at once, about.
const PIECE: u64 = 1 << 14;
/// Elements of a part of a longer row, at least; and so many parts at most.
const PART: u64 = 1 << 15;
const PARTS: u64 = 64;
/// Operations of a pass on an element, about.
const PASS: u32 = 8;

/// How often each digit occurs, or where its next element goes.
type Bins = [u64; 256];

/// Runs a kernel of a sort.
pub fn sort<V: Versions, S: Sort>(kernel: &S, failures: &Failure) {
    let (size, length) = (kernel.size(), kernel.length().max(1));
    let rows = size.total() / length;
    let shares = size.pays(S::COST + PASS * S::DIGITS.len() as u32);
    let run = Run {
        kernel,
        failures,
        versions: PhantomData::<V>,
    };
    if length <= SHORT {
        let together = (PIECE / length).max(1);
        each(shares, rows.div_ceil(together), &|piece| {
            let first = piece * together;
            run.compare(first * length, rows.min(first + together) * length, length);
        });
    } else if rows >= rayon::current_num_threads() as u64 {
        each(shares, rows, &|row| run.radix(row * length, length, false));
    } else {
        (0..rows).for_each(|row| run.radix(row * length, length, shares));
    }
}

/// Calls `part` once for every index below `count`, on any thread if threads share the work.
fn each(shares: bool, count: u64, part: &(dyn Fn(u64) + Sync)) {
    match shares {
        true => threads::for_each(count, part),
        false => (0..count).for_each(part),
    }
}

/// A sort under way.
struct Run<'a, V, S> {
    kernel: &'a S,
    failures: &'a Failure,
    versions: PhantomData<V>,
}

impl<V: Versions, S: Sort> Run<'_, V, S> {
    /// The elements of points before they are sorted, in order.
    fn elements(&self, range: (u64, u64), take: &mut dyn FnMut(u64, &[S::State])) {
        V::run(Elements {
            kernel: self.kernel,
            range,
            take,
            failures: self.failures,
        });
    }

    /// Sorts neighbouring rows by comparison.
    fn compare(&self, first: u64, last: u64, length: u64) {
        let mut states = Vec::with_capacity((last - first) as usize);
        self.elements((first, last), &mut |_, block| {
            states.extend_from_slice(block)
        });
        for row in states.chunks_mut(length as usize) {
            row.sort_by(|&a, &b| S::keys(a).cmp(&S::keys(b)));
        }
        for (at, &state) in (first..).zip(&states) {
            self.kernel.write::<0>(at, state);
        }
    }

    /// Sorts a row by its digits.
    fn radix(&self, first: u64, length: u64, shares: bool) {
        let parts = (length / PART).clamp(1, PARTS);
        let bound =
            |part: u64| first + (u128::from(length) * u128::from(part) / u128::from(parts)) as u64;
        let range = |part: u64| (bound(part), bound(part + 1));
        let keys = S::keys(S::State::ZERO).as_ref().len();
        let seen = collect(shares, parts, &|part| {
            // Of the first digit, how often it occurs; of each key, the bits that are set in some element, and in all.
            let (mut bins, mut bits): (Bins, _) = ([0; 256], vec![(0, u64::MAX); keys]);
            self.elements(range(part), &mut |_, block| {
                for &state in block {
                    let keys = S::keys(state);
                    bins[at::<S>(keys, S::DIGITS[0])] += 1;
                    for ((some, all), key) in bits.iter_mut().zip(keys.as_ref()) {
                        (*some, *all) = (*some | key, *all & key);
                    }
                }
            });
            (bins, bits)
        });
        let differs = |&pass: &usize| {
            let (key, shift) = S::DIGITS[pass];
            let both = |(some, all), bits: (u64, u64)| (some | bits.0, all & bits.1);
            let (some, all) = seen
                .iter()
                .map(|(_, bits)| bits[key])
                .fold((0, u64::MAX), both);
            (some ^ all) >> shift & 0xff != 0
        };
        let passes: Vec<usize> = (0..S::DIGITS.len()).filter(differs).collect();
        let Some((&least, others)) = passes.split_first() else {
            each(shares, parts, &|part| {
                self.elements(range(part), &mut |first, block| {
                    for (at, &state) in (first..).zip(block) {
                        self.kernel.write::<0>(at, state);
                    }
                });
            });
            return;
        };
        let digit = S::DIGITS[least];
        let counts = match least {
            0 => seen.into_iter().map(|(bins, _)| bins).collect(),
            _ => collect(shares, parts, &|part| {
                let mut bins: Bins = [0; 256];
                self.elements(range(part), &mut |_, block| {
                    for &state in block {
                        bins[at::<S>(S::keys(state), digit)] += 1;
                    }
                });
                bins
            }),
        };
        let starts = starts(first, counts);
        each(shares, parts, &|part| {
            let mut next = starts[part as usize];
            self.elements(range(part), &mut |_, block| match others.len() % 2 {
                0 => (block.iter()).for_each(|&state| self.put::<0>(&mut next, digit, state)),
                _ => (block.iter()).for_each(|&state| self.put::<1>(&mut next, digit, state)),
            });
        });
        for (done, &pass) in others.iter().enumerate() {
            let digit = S::DIGITS[pass];
            match (others.len() - done) % 2 {
                0 => self.pass::<0, 1>(first, digit, parts, &range, shares),
                _ => self.pass::<1, 0>(first, digit, parts, &range, shares),
            }
        }
    }

    /// Moves all elements of a row from one buffer to the other.
    fn pass<const FROM: usize, const TO: usize>(
        &self,
        first: u64,
        digit: (usize, u32),
        parts: u64,
        range: &(dyn Fn(u64) -> (u64, u64) + Sync),
        shares: bool,
    ) {
        let counts = collect(shares, parts, &|part| {
            let (first, last) = range(part);
            let mut bins: Bins = [0; 256];
            for place in first..last {
                bins[at::<S>(S::keys(self.kernel.read::<FROM>(place)), digit)] += 1;
            }
            bins
        });
        let starts = starts(first, counts);
        each(shares, parts, &|part| {
            let (first, last) = range(part);
            let mut next = starts[part as usize];
            for place in first..last {
                self.put::<TO>(&mut next, digit, self.kernel.read::<FROM>(place));
            }
        });
    }

    /// Stores an element behind those of its part with the same digit.
    #[inline(always)]
    fn put<const TO: usize>(&self, next: &mut Bins, digit: (usize, u32), state: S::State) {
        let place = &mut next[at::<S>(S::keys(state), digit)];
        self.kernel.write::<TO>(*place, state);
        *place += 1;
    }
}

/// A digit of keys.
#[inline(always)]
fn at<S: Sort>(keys: S::Keys, (key, shift): (usize, u32)) -> usize {
    usize::from((keys.as_ref()[key] >> shift) as u8)
}

/// What `part` gives for every index below `count`, in order.
fn collect<T: Send + Sync>(shares: bool, count: u64, part: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    match shares {
        true => threads::collect(count, part),
        false => (0..count).map(part).collect(),
    }
}

/// Where the first element of each digit goes, for each part of a row that begins at `first`.
fn starts(first: u64, mut counts: Vec<Bins>) -> Vec<Bins> {
    let mut next = first;
    for bin in 0..256 {
        for of_part in &mut counts {
            let count = std::mem::replace(&mut of_part[bin], next);
            next += count;
        }
    }
    counts
}

/// Elements that are computed before they are taken.
const BLOCK: u64 = 512;

/// Elements in order, of which `take` gets blocks: its code is not in that of the elements, which is there for each
/// instruction set.
struct Elements<'a, S: Sort> {
    kernel: &'a S,
    range: (u64, u64),
    take: &'a mut dyn FnMut(u64, &[S::State]),
    failures: &'a Failure,
}

impl<S: Sort> Work for Elements<'_, S> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let columns = self.kernel.size().columns;
        let (mut point, last) = self.range;
        let mut block = vec![S::State::ZERO; BLOCK.min(last - point) as usize];
        while point < last {
            let (row, first) = (point / columns, point % columns);
            let count = (columns - first).min(last - point).min(BLOCK);
            let outer = self.kernel.outer(row);
            let block = &mut block[..count as usize];
            let mut wide = block.chunks_exact_mut(L::W);
            let mut column = first;
            for to in &mut wide {
                let states = self.kernel.elements::<L>(outer, column, self.failures);
                S::State::spread::<L>(states, to);
                column += L::W as u64;
            }
            for to in wide.into_remainder() {
                let state = self.kernel.elements::<One>(outer, column, self.failures);
                *to = S::State::one(state);
                column += 1;
            }
            (self.take)(point, block);
            point += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::Build;
    use super::*;
    use crate::lanes::Value;
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Integers by their low halves, with their places.
    struct Halves {
        length: u64,
        keys: Vec<i32>,
        buffers: [Vec<AtomicU64>; 2],
    }

    impl Sort for Halves {
        const COST: u32 = 2;
        const DIGITS: &'static [(usize, u32)] = &[(0, 0), (0, 8), (0, 16), (0, 24)];
        type State = (i32, u32);
        type Keys = [u64; 1];
        type Outer = ();
        fn size(&self) -> Size {
            Size {
                rows: 1,
                columns: self.keys.len() as u64,
            }
        }
        fn outer(&self, _: u64) {}
        fn length(&self) -> u64 {
            self.length
        }
        #[inline(always)]
        fn elements<L: Lanes>(&self, (): (), first: u64, _: &Failure) -> (L::I32, L::U32) {
            let (mut key, mut place) = (<L::I32 as Value>::splat(0), <L::U32 as Value>::splat(0));
            for lane in 0..L::W {
                let point = first as usize + lane;
                key = key.with_lane(lane, self.keys[point]);
                place = place.with_lane(lane, point as u32);
            }
            (key, place)
        }
        fn keys((key, _): (i32, u32)) -> [u64; 1] {
            [key.order()]
        }
        fn read<const BUFFER: usize>(&self, at: u64) -> (i32, u32) {
            let both = self.buffers[BUFFER][at as usize].load(Relaxed);
            ((both >> 32) as i32, both as u32)
        }
        fn write<const BUFFER: usize>(&self, at: u64, (key, place): (i32, u32)) {
            let both = u64::from(key as u32) << 32 | u64::from(place);
            self.buffers[BUFFER][at as usize].store(both, Relaxed);
        }
    }

    fn check(length: u64, rows: u64, threads: usize, key: impl Fn(u64) -> i32) {
        let count = rows * length;
        let buffer = || (0..count).map(|_| AtomicU64::new(0)).collect();
        let kernel = Halves {
            length,
            keys: (0..count).map(key).collect(),
            buffers: [buffer(), buffer()],
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || sort::<Build<false>, _>(&kernel, &Failure::default());
        pool.expect("threads can be started").install(run);
        let found: Vec<(i32, u32)> = (0..count).map(|at| kernel.read::<0>(at)).collect();
        let mut expected: Vec<(i32, u32)> = kernel.keys.iter().copied().zip(0..).collect();
        if length > 0 {
            let rows = expected.chunks_mut(length as usize);
            rows.for_each(|row| row.sort_by_key(|&(key, _)| key));
        }
        assert!(
            found == expected,
            "{rows} rows of {length} with {threads} threads"
        );
    }

    #[test]
    fn rows_of_every_length_are_sorted_and_equal_elements_keep_their_order() {
        let hash = |k: u64| (k as u32).wrapping_mul(2_654_435_761) as i32;
        for threads in [1, 3] {
            for (length, rows) in [(0, 3), (1, 5), (7, 9000), (1024, 3), (1025, 2), (3000, 70)] {
                check(length, rows, threads, hash);
            }
            check(200_001, 2, threads, hash);
        }
    }

    #[test]
    fn digits_that_are_all_alike_take_no_pass() {
        let hash = |k: u64| (k as u32).wrapping_mul(2_654_435_761);
        for mask in [0, 0xff, 0xff00, 0xff_00ff, 0xff00_ffff] {
            check(100_000, 1, 2, |k| (hash(k) & mask) as i32);
        }
        check(100_000, 1, 2, |k| -(k as i32));
    }

    #[test]
    fn floats_are_in_their_total_order() {
        let ascending = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.0,
            -0.0,
            0.0,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(ascending.is_sorted_by_key(|x| x.order()));
        assert!(ascending.is_sorted_by_key(|&x| (x as f32).order()));
        assert!([i8::MIN, -1, 0, i8::MAX].is_sorted_by_key(|x| x.order()));
    }
}
