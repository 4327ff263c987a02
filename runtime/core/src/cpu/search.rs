//! Searches in what ascends for numbers that ascend, too: each begins where the one before it has ended.

use std::cell::Cell;

thread_local! {
    /// Where searches of this thread have ended. Whoever finds nothing of use there looks everywhere.
    static ENDED: [Cell<u64>; 4] = const { [const { Cell::new(0) }; 4] };
}

/// Of `count` ends, which ascend from `end(1)` to `end(count)`: between which two numbers it lies how many are no greater than a number
/// from `first` to `last`. Searches of one `PLACE` are for numbers that ascend; they are near each other then.
#[inline(always)]
pub fn near<const PLACE: usize>(
    count: u64,
    [first, last]: [u64; 2],
    end: impl Fn(u64) -> u64,
) -> (u64, u64) {
    let before = ENDED.with(|ended| ended[PLACE].get()).min(count);
    let low = match before {
        0 => 0,
        _ if end(before) <= first => before,
        _ => 0,
    };
    // In growing steps, so that it is found soon wherever it is.
    let (mut passed, mut high, mut step) = (low, low, 1);
    while high < count && end(high + 1) <= last {
        passed = high + 1;
        high = (high + step).min(count);
        step *= 2;
    }
    ENDED.with(|ended| ended[PLACE].set(passed));
    (low, high)
}

/// How many ends are no greater than an index: its segment. And where that ends.
#[inline(always)]
pub fn segment<const PLACE: usize>(count: u64, index: u64, end: impl Fn(u64) -> u64) -> (u64, u64) {
    let (mut low, mut high) = near::<PLACE>(count, [index, index], &end);
    while low < high {
        let middle = low + (high - low) / 2;
        match end(middle + 1) <= index {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    let ends = match low < count {
        true => end(low + 1),
        false => u64::MAX,
    };
    (low, ends)
}

#[cfg(test)]
mod tests {
    use super::near;

    /// How many ends are no greater.
    fn segment(ends: &[u64], sought: u64) -> u64 {
        ends.iter().filter(|&&end| end <= sought).count() as u64
    }

    #[test]
    fn segments_lie_between_the_numbers() {
        let ends = [0, 0, 3, 4, 4, 4, 9, 20, 20, 21, 50, 50, 50, 51, 90];
        // Upwards, back, and far away.
        let all = (0..100).chain((0..100).rev()).chain([95, 0, 50, 4, 89]);
        for first in all {
            for width in [1, 8] {
                let last = first + width - 1;
                let count = ends.len() as u64;
                let (low, high) = near::<1>(count, [first, last], |at| ends[at as usize - 1]);
                assert!(low <= segment(&ends, first), "{first}");
                assert!(segment(&ends, last) <= high && high <= count, "{last}");
                let found = super::segment::<2>(count, first, |at| ends[at as usize - 1]);
                let own = segment(&ends, first);
                let end = ends.get(own as usize).copied().unwrap_or(u64::MAX);
                assert_eq!(found, (own, end), "{first}");
            }
        }
        assert_eq!(near::<1>(0, [5, 9], |_| unreachable!("no ends")), (0, 0));
    }
}
