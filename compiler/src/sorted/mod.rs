//! Ordered sets and maps as sorted vectors: `std`'s B-trees with the same methods, of which the compiler of this crate translates a
//! tenth as much. Every user builds this crate, unoptimised, and its keys are mostly numbers that come in order.
//!
//! Looking something up takes a binary search, adding something at the end no more than that, elsewhere a move of what follows
//! (`flat_map` of C++23, `SortedMap` of rustc). So who walks a whole program, down from its results, keeps the nodes in an `IdSet`.

mod map;
mod set;
#[cfg(test)]
mod tests;

pub use map::{Entry, SortedMap};
pub use set::SortedSet;
