//! Shared memory of the entries: how many threads find room for what their teams keep there.

use crate::codegen::cuda::body::Code;

/// A block has 48 KiB without a special request; words besides states take the rest.
const ROOM: u32 = 47 << 10;
const THREADS: [u32; 4] = [256, 128, 64, 32];

/// Words of 8 bytes in each half of a block's slots: a state of each warp.
fn half(threads: u32, state: u32) -> u32 {
    threads / 32 * state.div_ceil(8)
}

/// Words of the states of a tile: so many bytes of each thread.
fn tile(threads: u32, bytes: u32) -> u32 {
    (threads * bytes).div_ceil(8)
}

/// Words of all slots of columns: two states of each thread.
pub(super) fn columns(threads: u32, state: u32) -> u32 {
    2 * threads * state.div_ceil(8)
}

/// The most threads for which these words are not too many, if there are such.
pub(super) fn threads(words: impl Fn(u32) -> u32) -> Option<u32> {
    let fits = |threads: &u32| 8 * words(*threads) <= ROOM;
    THREADS.into_iter().find(fits)
}

/// As [`threads`], for a block that folds, and goes through tiles that take so many bytes of each thread, if any.
pub(super) fn of_block(state: u32, bytes: u32) -> Option<u32> {
    threads(|threads| {
        let handed = 1 + state.div_ceil(8);
        let tiles = match bytes {
            0 => 0,
            _ => tile(threads, bytes) + handed,
        };
        2 * half(threads, state) + tiles
    })
}

/// Makes room for a block's slots; gives the arguments of its team: where they are and how large a half is.
pub(super) fn slots(code: &mut Code<'_>, threads: u32, state: u32) -> String {
    let half = half(threads, state);
    code.line(format!("SHARED(u64, slots, {});", 2 * half));
    format!("slots, {half}")
}

/// Makes room for a tile, too, if it takes any; gives the arguments of its team.
pub(super) fn slots_and_tile(code: &mut Code<'_>, threads: u32, bytes: u32, state: u32) -> String {
    let slots = slots(code, threads, state);
    if bytes == 0 {
        return format!("{slots}, nullptr");
    }
    let words = tile(threads, bytes);
    code.line(format!("SHARED(u64, tile, {words});"));
    format!("{slots}, tile")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_states_have_fewer_threads_or_none() {
        let along = |state| threads(|threads| columns(threads, state));
        let found = [8, 88, 96, 512, 752, 760].map(along);
        let expected = [Some(256), Some(256), Some(128), Some(32), Some(32), None];
        assert_eq!(found, expected);
        assert_eq!(of_block(2048, 0), Some(256));
        assert_eq!(
            [128, 256, 1000, 1600].map(|state| of_block(state, state)),
            [Some(256), Some(128), Some(32), None]
        );
    }
}
