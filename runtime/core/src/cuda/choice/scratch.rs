//! How much memory the blocks of a launch share.

use crate::program::Entry;

/// Bytes of the tickets of a row of this many elements that is scanned by several blocks: counters, and a state for each
/// tile, each 32 and each 1024 of them.
pub(in crate::cuda) fn chained(entry: &Entry, inner: u64) -> usize {
    let tiles = inner
        .div_ceil(u64::from(entry.threads * entry.items))
        .max(1);
    let states = tiles + tiles.div_ceil(32) + tiles.div_ceil(1024);
    8 + states as usize * entry.partial as usize
}

/// Bytes that a sort of so many rows of so many elements needs zero, and in all: words for each pass and for each digit of
/// each row and pass; and two for each digit of each tile.
pub(in crate::cuda) fn sort_scratch(
    entry: &Entry,
    passes: u32,
    rows: u64,
    length: u64,
) -> [usize; 2] {
    let (passes, tile) = (u64::from(passes), u64::from(entry.threads * entry.items));
    let states = 256 * rows * length.div_ceil(tile);
    let zeros = passes + 256 * rows * passes;
    [zeros, zeros + 2 * states].map(|words| words as usize * entry.partial as usize)
}

/// Bytes that a sort by a comparison needs zero, and in all: a word for each tile, and another one; and how many launches
/// there are after the first.
pub(in crate::cuda) fn merges(entry: &Entry, rows: u64, length: u64) -> ([usize; 2], u64) {
    let tiles = length.div_ceil(u64::from(entry.threads * entry.items));
    let zeros = (rows * tiles) as usize * entry.partial as usize;
    let rounds = tiles.max(1).next_power_of_two().ilog2();
    ([zeros, 2 * zeros], 2 * u64::from(rounds))
}
