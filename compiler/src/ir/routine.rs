//! Rust functions of the user's that compute arrays on CUDA devices.

use crate::scalar::Leaf;
use std::ops::Range;

/// One of them: what `#[foreign(rust = ..)]` says of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Routine {
    /// The position of the foreign function in its block.
    pub function: usize,
    /// Its path, as text.
    pub path: String,
    /// What it gives: a leaf of an array each, by its type and its rank.
    pub results: Vec<(Leaf, usize)>,
}

impl Routine {
    /// Where the extents of a result stand among those of all.
    pub fn axes(&self, k: usize) -> Range<usize> {
        let before: usize = self.results[..k].iter().map(|result| result.1).sum();
        before..before + self.results[k].1
    }
}
