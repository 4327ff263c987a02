//! `ACCELERATE_CHOICE`: the variants that somebody wants, whatever the choice would be, to measure whether another one is better.

use super::choice::{Sizes, is_small};
use crate::program::{Entry, Regime};
use std::sync::LazyLock;

/// Names of variants, with commas between them.
static FORCED: LazyLock<String> =
    LazyLock::new(|| std::env::var("ACCELERATE_CHOICE").unwrap_or_default());

/// The variant of these that is named, where it is right for the sizes.
pub(super) fn forced(entries: &[Entry], sizes: Sizes, scalars: &[u64]) -> Option<usize> {
    if FORCED.is_empty() {
        return None;
    }
    named(entries, sizes, scalars, &FORCED)
}

fn named(entries: &[Entry], sizes: Sizes, scalars: &[u64], names: &str) -> Option<usize> {
    entries.iter().position(|entry| {
        names.split(',').any(|name| name.trim() == entry.name)
            && is_of_any_size(entry.regime)
            && (!entry.narrow || is_small(entry, entries, sizes, scalars))
    })
}

/// The others want to know more of what they work on than they are told in any case.
fn is_of_any_size(regime: Regime) -> bool {
    match regime {
        Regime::Elementwise
        | Regime::Thread
        | Regime::Warp { .. }
        | Regime::Block
        | Regime::Columns
        | Regime::Tiled { .. } => true,
        Regime::Tables
        | Regime::Grid
        | Regime::Chained
        | Regime::Balanced { .. }
        | Regime::ColumnsGrid
        | Regime::SortRows
        | Regime::Sort { .. }
        | Regime::Merge
        | Regime::Windows { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice;
    use super::*;

    #[test]
    fn a_variant_that_is_named_is_taken_where_it_is_right() {
        let entry = |name, regime, narrow| Entry {
            name,
            ..choice::tests::entry(regime, narrow)
        };
        let entries = [
            entry("k_thread", Regime::Thread, true),
            entry("k_block", Regime::Block, true),
            entry("k_block_wide", Regime::Block, false),
            entry("k_grid", Regime::Grid, false),
        ];
        let of = |rows, names| {
            let sizes = Sizes {
                rows,
                inner: Some(10),
                longest: rows * 10,
            };
            named(&entries, sizes, &[], names)
        };
        assert_eq!(of(100, "other, k_block"), Some(1));
        assert_eq!(of(100, "k_block_wide"), Some(2));
        assert_eq!(of(1 << 31, "k_block"), None);
        assert_eq!(of(1 << 31, "k_block,k_block_wide"), Some(2));
        assert_eq!(of(100, "k_grid,l_thread"), None);
    }
}
