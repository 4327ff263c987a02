//! The tiles of a result: of products, or of elements that look at their neighbours.

use crate::program::Regime;

/// The tiles of a contraction, or of elements that look at their neighbours.
#[derive(Clone, Copy)]
pub(in crate::cuda) struct Tiles {
    pub(in crate::cuda) count: u64,
    /// Those that lie at no edge, at least.
    pub(super) within: u64,
    /// Elements of the result.
    pub(super) elements: u64,
}

/// The tiles of this many elements, if there are tiles.
pub(in crate::cuda) fn tiles(regime: Regime, elements: u64, scalars: &[u64]) -> Option<Tiles> {
    let (tile, extents) = match regime {
        Regime::Tiled {
            tile: [rows, columns],
            extents: (row, column),
        } => ([1, rows, columns], [None, row, Some(column)]),
        Regime::Windows { tile, extents } => (tile, extents),
        _ => return None,
    };
    let (mut count, mut within, mut rest) = (1u64, 1u64, elements);
    for (points, extent) in tile.into_iter().zip(extents) {
        let extent = extent.map_or(1, |extent| scalars[extent]).max(1);
        let along = extent.div_ceil(u64::from(points));
        count = count.saturating_mul(along);
        if points > 1 {
            within = within.saturating_mul(along.saturating_sub(2));
        }
        rest /= extent;
    }
    count = count.saturating_mul(rest);
    Some(Tiles {
        count,
        within: within.saturating_mul(rest),
        elements,
    })
}
