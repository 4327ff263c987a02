//! How a sort goes on a device: a radix sort from the least significant digit to the most significant.
//!
//! The first launch counts all digits. Then each digit, a byte of a key in its order, has a pass that moves the elements to
//! where the counts say, equal ones in order. The passes go back and forth between two buffers per leaf, so that the last
//! one writes the first of them. A row that fits one block is sorted there in one launch.

use super::body::Value;
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

/// Which of its two buffers a leaf needs. Without passes over digits that all elements have alike the others trade their
/// buffers, and on the CPU the most significant digit may come first, so a leaf that any pass needs may be in either.
pub fn stored(keys: &[Leaf], wanted: bool) -> [bool; 2] {
    let all = digits(keys).len();
    [wanted || all > 2, all > 1]
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
        assert_eq!(stored(&[Leaf::U32], true), [true, true]);
        assert_eq!(stored(&[Leaf::U32], false), [true, true]);
        assert_eq!(stored(&[Leaf::U16], false), [false, true]);
        assert_eq!(stored(&[Leaf::U8], false), [false, false]);
        assert_eq!(stored(&[Leaf::U8], true), [true, false]);
    }
}
