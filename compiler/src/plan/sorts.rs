//! How a sort goes on a device.
//!
//! By keys: a radix sort from the least significant digit to the most significant.
//!
//! The first launch counts all digits. Then each digit, a byte of a key in its order, has a pass that moves the elements to
//! where the counts say, equal ones in order. The passes go back and forth between two buffers per leaf, so that the last
//! one writes the first of them. A row that fits one block is sorted there in one launch.
//!
//! By a comparison: a merge sort. The first launch sorts tiles. Then two launches at a time merge sorted runs in pairs,
//! from one buffer per leaf to the other: the first cuts what comes of each pair into tiles and finds which part of either
//! run goes into each, the second one merges these.

use super::body::{Statement, Value};
use crate::scalar::Leaf;

/// A leaf of what a sort moves.
#[derive(Clone, Debug)]
pub struct Sorted {
    /// Its value at a point.
    pub element: Value,
    /// Whether its order is a result: of the first buffer.
    pub wanted: bool,
    /// Positions of buffers with an element per point. There is none where no pass needs it.
    pub buffers: [Option<usize>; 2],
}

/// Whether an element comes before another one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The keys of the one ...
    pub left: Vec<Value>,
    /// ... and of the other.
    pub right: Vec<Value>,
    /// Uses nothing that is not its own; no stores.
    pub body: Vec<Statement>,
    /// A `bool` of the body.
    pub less: Value,
}

/// The digits in the order of the passes: which key, and how far its byte is to the left.
pub fn digits(keys: &[Leaf]) -> Vec<(usize, u32)> {
    let bytes = |k: usize| (0..keys[k].bytes() as u32).map(move |byte| (k, 8 * byte));
    (0..keys.len()).rev().flat_map(bytes).collect()
}

/// How many passes store a leaf: all, if it is wanted, else those before its last digit's.
pub fn passes(keys: &[Leaf], leaf: usize, wanted: bool) -> usize {
    let digits = digits(keys);
    match wanted {
        true => digits.len(),
        false => digits
            .iter()
            .rposition(|&(key, _)| key == leaf)
            .unwrap_or(0),
    }
}

/// Which of its two buffers a leaf needs. All that is merged needs both. Without passes over digits that all elements have alike the others trade their
/// buffers, and on the CPU the most significant digit may come first, so a leaf that any pass needs may be in either.
pub fn stored(keys: &[Leaf], compared: bool, wanted: bool) -> [bool; 2] {
    let all = digits(keys).len();
    [compared || wanted || all > 2, compared || all > 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_go_from_the_last_key_to_the_first() {
        let keys = [Leaf::I16, Leaf::Bool];
        assert_eq!(digits(&keys), [(1, 0), (0, 0), (0, 8)]);
        assert_eq!(passes(&keys, 0, false), 2);
        assert_eq!(passes(&keys, 1, false), 0);
        assert_eq!(passes(&keys, 2, true), 3);
    }

    #[test]
    fn only_what_passes_leave_behind_has_buffers() {
        assert_eq!(stored(&[Leaf::U32], false, true), [true, true]);
        assert_eq!(stored(&[Leaf::U32], false, false), [true, true]);
        assert_eq!(stored(&[Leaf::U16], false, false), [false, true]);
        assert_eq!(stored(&[Leaf::U8], false, false), [false, false]);
        assert_eq!(stored(&[Leaf::U8], false, true), [true, false]);
        assert_eq!(stored(&[Leaf::U8], true, false), [true, true]);
    }
}
