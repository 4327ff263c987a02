//! What the stages are told. The default is what users get; tests and measurements switch parts off, by name where they like
//! (`Options::switch_off`).

use crate::sorted::SortedSet;
use crate::sources::Sources;

/// See the module.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of passes to leave out, of those that may be.
    pub disabled: SortedSet<&'static str>,
    /// Producers are computed inside their consumers.
    pub vertical: bool,
    /// Independent results over one domain share a kernel.
    pub horizontal: bool,
    /// Invariants leave loops.
    pub hoist: bool,
    /// Domains and indices are collapsed where they allow it.
    pub collapse: bool,
    /// Parts of an array are stored by themselves.
    pub split: bool,
    /// Contractions are tiled.
    pub tiles: Tiling,
    /// Stores or inlines by chance instead of by cost, for tests: whatever is decided must be right.
    pub seed: Option<u64>,
    /// Compiles what breaks its contracts: they are promises about what users get, not about passes switched off.
    pub without_contracts: bool,
    /// What the block is made of besides its tokens.
    pub sources: Sources,
    /// Checks the program after each pass, and the plan.
    pub verify: bool,
}

/// How contractions are tiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiling {
    /// Not at all.
    Off,
    /// In tiles so small that tests reach every one of their edges.
    Small,
    /// In tiles as devices want them.
    Large,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            disabled: SortedSet::new(),
            vertical: true,
            horizontal: true,
            hoist: true,
            collapse: true,
            split: true,
            tiles: Tiling::Large,
            seed: None,
            without_contracts: false,
            sources: Sources::default(),
            verify: cfg!(debug_assertions),
        }
    }
}
