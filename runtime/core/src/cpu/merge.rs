//! Sorts by a comparison: a merge sort of each row. Halves are sorted and merged by threads of their own; what is merged is
//! halved at the cut that says which part of either run comes first, so that threads share that too. No part of any step
//! depends on what the comparison says, so one that is no order gives some permutation.

use super::dispatch::Versions;
use super::records::{self, Records};
use super::threads;
use crate::failure::Failure;
use std::marker::PhantomData;

/// A kernel of a sort by a comparison. All methods are `#[inline(always)]` in generated code.
pub trait Merge: Records {
    /// Whether one element comes before another one.
    fn less(&self, left: Self::State, right: Self::State, failures: &Failure) -> bool;
}

/// Elements that one thread sorts in a cache, or merges.
const PIECE: u64 = 1 << 11;
/// Elements that are put in order by inserting one after the other.
const FEW: usize = 16;
/// Operations on an element, about, beside its own.
const STEPS: u32 = 40;

/// Neighbours: the place of the first one, and of the one after the last.
type Range = (u64, u64);

/// Runs a kernel of a sort by a comparison.
pub fn merge<V: Versions, S: Merge>(kernel: &S, failures: &Failure) {
    let (size, length) = (kernel.size(), kernel.length().max(1));
    let rows = size.total() / length;
    let shares = size.pays(S::COST + STEPS);
    let run = Run {
        kernel,
        failures,
        versions: PhantomData::<V>,
    };
    if length <= PIECE {
        let together = PIECE / length;
        return threads::each(shares, rows.div_ceil(together), &|piece| {
            let (first, last) = (piece * together, rows.min((piece + 1) * together));
            run.piece::<0>((first * length, last * length), length);
        });
    }
    let apart = shares && rows >= rayon::current_num_threads() as u64;
    threads::each(apart, rows, &|row| {
        run.sort::<0, 1>((row * length, (row + 1) * length), shares && !apart);
    });
}

/// A sort under way.
struct Run<'a, V, S> {
    kernel: &'a S,
    failures: &'a Failure,
    versions: PhantomData<V>,
}

impl<V: Versions, S: Merge> Run<'_, V, S> {
    fn less(&self, left: S::State, right: S::State) -> bool {
        self.kernel.less(left, right, self.failures)
    }

    /// Sorts a range into one buffer; the other one is free.
    fn sort<const TO: usize, const OTHER: usize>(&self, (first, last): Range, shares: bool) {
        if last - first <= PIECE {
            return self.piece::<TO>((first, last), last - first);
        }
        let middle = first + (last - first) / 2;
        threads::both(
            shares,
            || self.sort::<OTHER, TO>((first, middle), shares),
            || self.sort::<OTHER, TO>((middle, last), shares),
        );
        self.merge::<OTHER, TO>((first, middle), (middle, last), first, shares);
    }

    /// A range that fits a cache, of rows that are sorted each by itself.
    fn piece<const TO: usize>(&self, (first, last): Range, length: u64) {
        let mut states = Vec::with_capacity((last - first) as usize);
        records::elements::<V, S>(
            self.kernel,
            (first, last),
            &mut |_, block| states.extend_from_slice(block),
            self.failures,
        );
        let mut spare = states.clone();
        let length = length as usize;
        for (row, spare) in states.chunks_mut(length).zip(spare.chunks_mut(length)) {
            self.within(row, spare);
        }
        for (at, &state) in (first..).zip(&states) {
            self.kernel.write::<TO>(at, state);
        }
    }

    /// Sorts elements with as much room again.
    fn within(&self, states: &mut [S::State], spare: &mut [S::State]) {
        if states.len() <= FEW {
            for k in 1..states.len() {
                let state = states[k];
                let mut at = k;
                while at > 0 && self.less(state, states[at - 1]) {
                    states[at] = states[at - 1];
                    at -= 1;
                }
                states[at] = state;
            }
            return;
        }
        let middle = states.len() / 2;
        let (a, b) = states.split_at_mut(middle);
        let (spare_a, spare_b) = spare.split_at_mut(middle);
        self.within(a, spare_a);
        self.within(b, spare_b);
        spare.copy_from_slice(states);
        let (a, b) = spare.split_at(middle);
        let (mut i, mut j) = (0, 0);
        for to in states {
            // Of equal ones the first.
            let second = i == a.len() || (j < b.len() && self.less(b[j], a[i]));
            *to = match second {
                true => b[j],
                false => a[i],
            };
            (i, j) = (i + usize::from(!second), j + usize::from(second));
        }
    }

    /// Merges two runs of one buffer into the other one, from a place on.
    fn merge<const FROM: usize, const TO: usize>(
        &self,
        (a, a_end): Range,
        (b, b_end): Range,
        to: u64,
        shares: bool,
    ) {
        let count = (a_end - a) + (b_end - b);
        if !shares || count <= PIECE {
            return self.merge_all::<FROM, TO>((a, a_end), (b, b_end), to);
        }
        let half = count / 2;
        let cut = a + self.cut::<FROM>((a, a_end), (b, b_end), half);
        let other = b + (half - (cut - a));
        threads::both(
            true,
            || self.merge::<FROM, TO>((a, cut), (b, other), to, true),
            || self.merge::<FROM, TO>((cut, a_end), (other, b_end), to + half, true),
        );
    }

    /// How many of the first so many merged elements are of the first run.
    fn cut<const FROM: usize>(&self, (a, a_end): Range, (b, b_end): Range, merged: u64) -> u64 {
        let mut low = merged.saturating_sub(b_end - b);
        let mut high = merged.min(a_end - a);
        while low < high {
            let middle = low + (high - low) / 2;
            let first = self.kernel.read::<FROM>(a + middle);
            let second = self.kernel.read::<FROM>(b + (merged - 1 - middle));
            match self.less(second, first) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    fn merge_all<const FROM: usize, const TO: usize>(
        &self,
        (mut a, a_end): Range,
        (mut b, b_end): Range,
        to: u64,
    ) {
        let read = |at: u64| self.kernel.read::<FROM>(at);
        let mut to = to;
        while a < a_end && b < b_end {
            let (first, second) = (read(a), read(b));
            let before = self.less(second, first);
            self.kernel
                .write::<TO>(to, if before { second } else { first });
            (a, b, to) = (a + u64::from(!before), b + u64::from(before), to + 1);
        }
        for (to, from) in (to..).zip((a..a_end).chain(b..b_end)) {
            self.kernel.write::<TO>(to, read(from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::Size;
    use super::super::dispatch::Build;
    use super::*;
    use crate::lanes::{Lanes, Value};
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Numbers with their places, compared by some rule.
    struct Numbers {
        length: u64,
        keys: Vec<u32>,
        buffers: [Vec<AtomicU64>; 2],
        less: fn(u32, u32) -> bool,
    }

    impl Merge for Numbers {
        fn less(&self, left: (u32, u32), right: (u32, u32), _: &Failure) -> bool {
            (self.less)(left.0, right.0)
        }
    }

    impl Records for Numbers {
        const COST: u32 = 2;
        type State = (u32, u32);
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
        fn elements<L: Lanes>(&self, (): (), first: u64, _: &Failure) -> (L::U32, L::U32) {
            let (mut key, mut place) = (<L::U32 as Value>::splat(0), <L::U32 as Value>::splat(0));
            for lane in 0..L::W {
                let point = first as usize + lane;
                key = key.with_lane(lane, self.keys[point]);
                place = place.with_lane(lane, point as u32);
            }
            (key, place)
        }
        fn read<const BUFFER: usize>(&self, at: u64) -> (u32, u32) {
            let both = self.buffers[BUFFER][at as usize].load(Relaxed);
            ((both >> 32) as u32, both as u32)
        }
        fn write<const BUFFER: usize>(&self, at: u64, (key, place): (u32, u32)) {
            let both = u64::from(key) << 32 | u64::from(place);
            self.buffers[BUFFER][at as usize].store(both, Relaxed);
        }
    }

    fn sorted(
        (length, rows): (u64, u64),
        threads: usize,
        less: fn(u32, u32) -> bool,
    ) -> (Vec<u32>, Vec<(u32, u32)>) {
        let count = rows * length;
        let buffer = || (0..count).map(|_| AtomicU64::new(0)).collect();
        let kernel = Numbers {
            length,
            keys: (0..count)
                .map(|k| (k as u32).wrapping_mul(2_654_435_761) % 1000)
                .collect(),
            buffers: [buffer(), buffer()],
            less,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || merge::<Build<false>, _>(&kernel, &Failure::default());
        pool.expect("threads can be started").install(run);
        let found = (0..count).map(|at| kernel.read::<0>(at)).collect();
        (kernel.keys, found)
    }

    #[test]
    fn rows_of_every_length_are_sorted_and_equal_elements_keep_their_order() {
        for threads in [1, 3] {
            for (length, rows) in [(0, 3), (1, 5), (7, 900), (2048, 3), (2049, 2), (100_001, 2)] {
                let (keys, found) = sorted((length, rows), threads, |a, b| a > b);
                let mut expected: Vec<(u32, u32)> = keys.into_iter().zip(0..).collect();
                if length > 0 {
                    let rows = expected.chunks_mut(length as usize);
                    rows.for_each(|row| row.sort_by_key(|&(key, _)| std::cmp::Reverse(key)));
                }
                assert!(
                    found == expected,
                    "{rows} rows of {length} with {threads} threads"
                );
            }
        }
    }

    #[test]
    fn what_is_no_order_gives_a_permutation() {
        let rules: [fn(u32, u32) -> bool; 3] = [
            |_, _| true,
            |a, b| (a ^ b) % 3 != 0,
            |a, b| (a * 7 + b) % 5 < 2,
        ];
        for less in rules {
            let (_, found) = sorted((100_000, 1), 3, less);
            let mut places: Vec<u32> = found.into_iter().map(|(_, place)| place).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..100_000));
        }
    }
}
