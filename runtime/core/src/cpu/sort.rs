//! Sorts: each row of neighbouring points by itself, equal elements in order.
//!
//! Short rows are compared. Longer ones go through a radix sort from the least significant digit to the most significant.
//! What does not fit a cache is moved by its most significant bits first: parts of it are counted, then each part moves its
//! elements to where the counts of all say. That leaves buckets which fit, one thread each. Bits that all elements have
//! alike take no pass. As equal elements keep their order there is one result, whatever the parts and threads.

use super::dispatch::Versions;
use super::records::{self, BLOCK, Records};
use super::state::State;
use super::threads;
use crate::failure::Failure;
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Range;

/// A kernel of a sort by keys. All methods are `#[inline(always)]` in generated code.
pub trait Sort: Records {
    /// The digits from the least significant one on: which key, and how far its byte is to the left.
    const DIGITS: &'static [(usize, u32)];
    /// The keys of an element, of which the first is the most significant.
    type Keys: Copy + Send + Sync + Ord + AsRef<[u64]> + AsMut<[u64]>;
    /// Whether elements are their keys: equal ones are the same.
    const KEYS_ONLY: bool;
    /// The places of a sorted row that are read, from one to before another: not all in a partial sort, which leaves the others
    /// undefined.
    fn places(&self) -> (u64, u64);
    /// The keys of an element, as numbers that compare as they do.
    fn keys(state: Self::State) -> Self::Keys;
}

/// Rows of at most so many elements are compared.
const SHORT: u64 = 1 << 10;
/// Elements of such rows that a thread sorts at once, about.
const PIECE: u64 = 1 << 14;
/// Elements of a part of a longer row, at least; and so many parts at most.
const PART: u64 = 1 << 15;
const PARTS: u64 = 64;
/// Bytes of elements that stay in a cache, with as many of the other buffer.
const CACHED: u64 = 1 << 19;
/// Elements of a bucket that are compared, at most.
const FEW: u64 = 64;
/// Where no more than one in so many elements of a row are read, they are selected before they are sorted, ...
const MANY: u64 = 4;
/// ... in rows of more elements than these.
const SORTED: u64 = 32;
/// Operations of a pass on an element, about.
const PASS: u32 = 8;

/// How often each digit occurs, or where its next element goes.
type Bins = [u64; 256];

/// Eight bits of a key: which key, and how far they are to the left.
type Digit = (usize, u32);

/// Where elements come from.
#[derive(Clone, Copy)]
enum Source {
    /// They are computed.
    Points,
    /// The first buffer or the second.
    Buffer(usize),
}

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
    let places = places(kernel, length);
    let few = is_few(&places, length);
    if length <= SHORT || (few && length * size_of::<S::State>() as u64 <= CACHED) {
        let together = (PIECE / length).max(1);
        threads::each(shares, rows.div_ceil(together), &|piece| {
            let first = piece * together;
            run.compare(first * length, rows.min(first + together) * length, length);
        });
    } else {
        let radix = |row: u64, shares| {
            let (first, last) = (row * length, (row + 1) * length);
            let read = first + places.start..first + places.end;
            run.radix((first, last), Source::Points, shares, &read);
        };
        match rows >= rayon::current_num_threads() as u64 {
            true => threads::each(shares, rows, &|row| radix(row, false)),
            false => (0..rows).for_each(|row| radix(row, shares)),
        }
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
        records::elements::<V, S>(self.kernel, range, take, self.failures);
    }

    /// Sorts neighbouring rows by comparison.
    fn compare(&self, first: u64, last: u64, length: u64) {
        let mut states = Vec::with_capacity((last - first) as usize);
        self.elements((first, last), &mut |_, block| {
            states.extend_from_slice(block)
        });
        let places = places(self.kernel, length);
        for row in states.chunks_mut(length as usize) {
            match is_few(&places, length) {
                true => select::<S>(row, places.start as usize..places.end as usize),
                false => row.sort_by(|&a, &b| S::keys(a).cmp(&S::keys(b))),
            }
        }
        for (at, &state) in (first..).zip(&states) {
            self.kernel.write::<0>(at, state);
        }
    }

    /// Sorts a range by its digits, into the first buffer, as far as what is `read` of it.
    fn radix(&self, (first, last): (u64, u64), from: Source, shares: bool, read: &Range<u64>) {
        let length = last - first;
        let parts = (length / PART).clamp(1, PARTS);
        let bound =
            |part: u64| first + (u128::from(length) * u128::from(part) / u128::from(parts)) as u64;
        let range = |part: u64| (bound(part), bound(part + 1));
        let fits = |length: u64| length * size_of::<S::State>() as u64 <= CACHED;
        let whole = fits(length) && !(shares && parts > 1);
        let guess = match whole {
            true => S::DIGITS[0],
            false => S::DIGITS[S::DIGITS.len() - 1],
        };
        let seen = collect(shares, parts, &|part| {
            // Of a digit, how often it occurs; of each key, the bits that are not the same in all elements.
            let mut bins: Bins = [0; 256];
            let mut ever: Option<(S::Keys, S::Keys)> = None;
            self.blocks(range(part), from, &mut |_, block| {
                let first = S::keys(block[0]);
                // Of the block alone, so that they stay in registers.
                let (mut some, mut all) = ever.unwrap_or((first, first));
                for &state in block {
                    let keys = S::keys(state);
                    bins[at::<S>(keys, guess)] += 1;
                    merge(&mut some, keys, |a, b| a | b);
                    merge(&mut all, keys, |a, b| a & b);
                }
                ever = Some((some, all));
            });
            (bins, ever)
        });
        let found = seen.iter().filter_map(|(_, ever)| *ever);
        let Some((some, all)) = found.reduce(|(mut some, mut all), (a, b)| {
            merge(&mut some, a, |a, b| a | b);
            merge(&mut all, b, |a, b| a & b);
            (some, all)
        }) else {
            return;
        };
        let mut differ = some;
        merge(&mut differ, all, |a, b| a ^ b);
        let differ = differ.as_ref();
        let Some(key) = differ.iter().position(|&bits| bits != 0) else {
            return self.copy(parts, &range, from, shares);
        };
        let among = |bits: u64, shift: u32| bits >> shift & 0xff != 0;
        let digits = S::DIGITS.iter().copied();
        let (digit, rest): (Digit, Vec<Digit>) = match whole {
            true => {
                let mut digits = digits.filter(|&(key, shift)| among(differ[key], shift));
                (digits.next().unwrap_or(guess), digits.collect())
            }
            false => {
                // The eight that begin with the first that differs.
                let least = differ[key].ilog2().saturating_sub(7);
                let below = |&(of, shift): &Digit| {
                    (of > key && among(differ[of], shift))
                        || (of == key && among(differ[key] & ((1 << least) - 1), shift))
                };
                ((key, least), digits.filter(below).collect())
            }
        };
        let counts = match digit == guess {
            true => seen.into_iter().map(|(bins, _)| bins).collect(),
            false => collect(shares, parts, &|part| {
                let mut bins: Bins = [0; 256];
                self.blocks(range(part), from, &mut |_, block| {
                    count::<S>(&mut bins, digit, block);
                });
                bins
            }),
        };
        let to = match from {
            Source::Points => rest.len() % 2,
            Source::Buffer(buffer) => 1 - buffer,
        };
        let starts = starts(first, counts);
        // Buckets of the most significant digit of which nothing is read are dead: they are neither scattered nor sorted.
        let live = match whole {
            true => 0..256,
            false => {
                let begins = &starts[0];
                let after = begins.partition_point(|&begin| begin < read.end);
                begins.partition_point(|&begin| begin <= read.start).max(1) - 1..after
            }
        };
        threads::each(shares, parts, &|part| {
            let mut next = starts[part as usize];
            self.blocks(range(part), from, &mut |_, block| match to {
                _ if live.len() < 256 => {
                    for &state in block {
                        if !live.contains(&at::<S>(S::keys(state), digit)) {
                            continue;
                        }
                        match to {
                            0 => self.put::<0>(&mut next, digit, state),
                            _ => self.put::<1>(&mut next, digit, state),
                        }
                    }
                }
                0 => (block.iter()).for_each(|&state| self.put::<0>(&mut next, digit, state)),
                _ => (block.iter()).for_each(|&state| self.put::<1>(&mut next, digit, state)),
            });
        });
        if whole {
            return self.cached((first, last), to, &rest);
        }
        let begins = &starts[0];
        let bucket = |bin: usize| (begins[bin], begins.get(bin + 1).map_or(last, |&end| end));
        threads::each(shares, live.len() as u64, &|bin| {
            let (first, last) = bucket(live.start + bin as usize);
            if rest.is_empty() || fits(last - first) {
                self.cached((first, last), to, &rest);
            }
        });
        for (first, last) in live.map(bucket) {
            if !rest.is_empty() && !fits(last - first) {
                self.radix((first, last), Source::Buffer(to), shares, read);
            }
        }
    }

    /// Elements in order, in blocks with the place of the first.
    fn blocks(&self, range: (u64, u64), from: Source, take: &mut dyn FnMut(u64, &[S::State])) {
        match from {
            Source::Points => self.elements(range, take),
            Source::Buffer(0) => self.read::<0>(range, take),
            Source::Buffer(_) => self.read::<1>(range, take),
        }
    }

    fn read<const FROM: usize>(
        &self,
        (first, last): (u64, u64),
        take: &mut dyn FnMut(u64, &[S::State]),
    ) {
        let mut block = [S::State::ZERO; BLOCK as usize];
        for begin in (first..last).step_by(BLOCK as usize) {
            let block = &mut block[..BLOCK.min(last - begin) as usize];
            for (place, state) in (begin..).zip(block.iter_mut()) {
                *state = self.kernel.read::<FROM>(place);
            }
            take(begin, block);
        }
    }

    /// Into the first buffer, in the order that there is.
    fn copy(
        &self,
        parts: u64,
        range: &(dyn Fn(u64) -> (u64, u64) + Sync),
        from: Source,
        shares: bool,
    ) {
        if let Source::Buffer(0) = from {
            return;
        }
        threads::each(shares, parts, &|part| {
            self.blocks(range(part), from, &mut |first, block| {
                for (at, &state) in (first..).zip(block) {
                    self.kernel.write::<0>(at, state);
                }
            });
        });
    }

    /// Sorts a range that fits a cache by these digits, from one of the buffers into the first.
    fn cached(&self, (first, last): (u64, u64), from: usize, digits: &[Digit]) {
        let length = last - first;
        if length <= FEW && !digits.is_empty() {
            let mut few = Vec::with_capacity(length as usize);
            self.blocks((first, last), Source::Buffer(from), &mut |_, block| {
                few.extend_from_slice(block);
            });
            few.sort_by(|&a, &b| S::keys(a).cmp(&S::keys(b)));
            for (at, &state) in (first..).zip(&few) {
                self.kernel.write::<0>(at, state);
            }
            return;
        }
        let mut bins: Vec<Bins> = vec![[0; 256]; digits.len()];
        if !digits.is_empty() {
            self.blocks((first, last), Source::Buffer(from), &mut |_, block| {
                for (bins, &digit) in bins.iter_mut().zip(digits) {
                    count::<S>(bins, digit, block);
                }
            });
        }
        let mut from = from;
        for (bins, &digit) in bins.iter_mut().zip(digits) {
            let mut next = first;
            for bin in bins.iter_mut() {
                next += std::mem::replace(bin, next);
            }
            match from {
                0 => self.pass::<0, 1>((first, last), bins, digit),
                _ => self.pass::<1, 0>((first, last), bins, digit),
            }
            from = 1 - from;
        }
        self.copy(1, &|_| (first, last), Source::Buffer(from), false);
    }

    /// Moves all elements of a range from one buffer to the other.
    fn pass<const FROM: usize, const TO: usize>(
        &self,
        (first, last): (u64, u64),
        next: &mut Bins,
        digit: Digit,
    ) {
        for place in first..last {
            self.put::<TO>(next, digit, self.kernel.read::<FROM>(place));
        }
    }

    /// Stores an element behind those of its part with the same digit.
    #[inline(always)]
    fn put<const TO: usize>(&self, next: &mut Bins, digit: Digit, state: S::State) {
        let place = &mut next[at::<S>(S::keys(state), digit)];
        self.kernel.write::<TO>(*place, state);
        *place += 1;
    }
}

/// The places of a row that are read, in bounds.
fn places<S: Sort>(kernel: &S, length: u64) -> Range<u64> {
    let (from, to) = kernel.places();
    let to = to.min(length);
    from.min(to)..to
}

/// Whether to select what is read before it is sorted.
fn is_few(places: &Range<u64>, length: u64) -> bool {
    length > SORTED && places.end - places.start <= length / MANY
}

/// A partial sort, by quickselect: at these places the elements are those of the sorted row, elsewhere undefined. Stable, as the
/// places of elements break ties.
fn select<S: Sort>(row: &mut [S::State], read: Range<usize>) {
    if S::KEYS_ONLY {
        let by_keys = |&a: &S::State, &b: &S::State| S::keys(a).cmp(&S::keys(b));
        return select_by(row, read, by_keys);
    }
    let keys = row.iter().map(|&state| S::keys(state));
    let mut places: Vec<(S::Keys, u32)> = keys.zip(0..).collect();
    select_by(&mut places, read.clone(), Ord::cmp);
    let found: Vec<S::State> = (places[read.clone()].iter())
        .map(|&(_, place)| row[place as usize])
        .collect();
    row[read].copy_from_slice(&found);
}

/// The same, of elements of which equal ones are the same.
fn select_by<T>(row: &mut [T], read: Range<usize>, order: impl Fn(&T, &T) -> Ordering) {
    if read.is_empty() {
        return;
    }
    row.select_nth_unstable_by(read.end - 1, &order);
    let below = &mut row[..read.end];
    below.select_nth_unstable_by(read.start, &order);
    below[read.start..].sort_unstable_by(&order);
}

/// Changes keys by others.
#[inline(always)]
fn merge<K: AsRef<[u64]> + AsMut<[u64]>>(keys: &mut K, others: K, f: impl Fn(u64, u64) -> u64) {
    for (key, other) in keys.as_mut().iter_mut().zip(others.as_ref()) {
        *key = f(*key, *other);
    }
}

/// A digit of keys.
#[inline(always)]
fn at<S: Sort>(keys: S::Keys, (key, shift): Digit) -> usize {
    usize::from((keys.as_ref()[key] >> shift) as u8)
}

/// Adds how often a digit occurs.
fn count<S: Sort>(bins: &mut Bins, digit: Digit, block: &[S::State]) {
    for &state in block {
        bins[at::<S>(S::keys(state), digit)] += 1;
    }
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

#[cfg(test)]
mod tests {
    use super::super::chunks::Size;
    use super::super::dispatch::Build;
    use super::super::order::Ordered;
    use super::*;
    use crate::lanes::{Lanes, Value};
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Integers by their low halves, with their places.
    struct Halves {
        length: u64,
        places: (u64, u64),
        keys: Vec<i32>,
        buffers: [Vec<AtomicU64>; 2],
    }

    impl Sort for Halves {
        const DIGITS: &'static [(usize, u32)] = &[(0, 0), (0, 8), (0, 16), (0, 24)];
        type Keys = [u64; 1];
        const KEYS_ONLY: bool = false;
        fn places(&self) -> (u64, u64) {
            self.places
        }
        fn keys((key, _): (i32, u32)) -> [u64; 1] {
            [key.order()]
        }
    }

    impl Records for Halves {
        const COST: u32 = 2;
        type State = (i32, u32);
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
        let middle = length / 2;
        let first = [length, length / 5, 1, length / 3].map(|end| (0, end));
        let others = [
            (middle, middle + 1),
            (length.saturating_sub(3), length),
            (u64::MAX, u64::MAX),
            (length / 5, length + 9),
        ];
        for places in first.into_iter().chain(others) {
            partial(length, rows, threads, places, &key);
        }
    }

    fn partial(
        length: u64,
        rows: u64,
        threads: usize,
        places: (u64, u64),
        key: &dyn Fn(u64) -> i32,
    ) {
        let count = rows * length;
        let buffer = || (0..count).map(|_| AtomicU64::new(0)).collect();
        let kernel = Halves {
            length,
            places,
            keys: (0..count).map(key).collect(),
            buffers: [buffer(), buffer()],
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || sort::<Build<false>, _>(&kernel, &Failure::default());
        pool.expect("threads can be started").install(run);
        let mut found: Vec<(i32, u32)> = (0..count).map(|at| kernel.read::<0>(at)).collect();
        let mut expected: Vec<(i32, u32)> = kernel.keys.iter().copied().zip(0..).collect();
        if length > 0 {
            let rows = expected.chunks_mut(length as usize);
            rows.for_each(|row| row.sort_by_key(|&(key, _)| key));
            for row in [&mut found, &mut expected] {
                let rows = row.chunks_mut(length as usize);
                rows.for_each(|row| {
                    for (at, element) in (0..).zip(row) {
                        if at < places.0 || at >= places.1 {
                            *element = (0, 0);
                        }
                    }
                });
            }
        }
        assert!(
            found == expected,
            "places {places:?} of {rows} rows of {length} with {threads} threads"
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
    fn what_fits_no_cache_is_sorted_by_its_first_bits() {
        let hash = |k: u64| (k as u32).wrapping_mul(2_654_435_761);
        for threads in [1, 2] {
            check(150_000, 1, threads, |k| hash(k) as i32);
            // Few bits; one bucket with nearly all; buckets of few.
            check(150_000, 1, threads, |k| (hash(k) % 5) as i32);
            check(150_000, 1, threads, |k| (hash(k) >> (1 + k % 31)) as i32);
            check(150_000, 2, threads, |k| {
                if k % 100 == 0 {
                    hash(k) as i32
                } else {
                    (hash(k) % 300) as i32
                }
            });
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
}
