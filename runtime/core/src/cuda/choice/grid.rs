//! How many blocks a launch has.

use super::WARP;
use crate::program::{Entry, Regime};

/// The grid's limit in y.
const MOST_OF_Y: u64 = 65_535;

/// Rows of a group, of so many rows whose elements are apart: as the prelude's `columns_team` has them.
pub(super) fn group(rows: u64) -> u64 {
    rows.next_power_of_two().min(WARP)
}

/// Blocks in x and y.
pub(in crate::cuda) fn grid(entry: &Entry, rows: u64, inner: u64, resident: u64) -> (u32, u32) {
    let threads = u64::from(entry.threads);
    let items = u64::from(entry.items.max(1));
    // Several blocks share the work of a row (or of a group of rows): as many as are useful and find a place.
    let shared = |groups: u64, threads_per_row: u64| {
        let useful = inner.div_ceil(threads_per_row.max(1) * items).max(1);
        let fair = (resident / groups).max(1);
        (useful.min(fair) as u32, groups.min(MOST_OF_Y) as u32)
    };
    // Short rows share tiles.
    let rows = match entry.regime {
        Regime::Merge => rows.saturating_mul(inner).div_ceil(threads * items),
        _ => rows,
    };
    let per_block = match entry.regime {
        Regime::Elementwise => threads * items,
        Regime::Thread => threads,
        Regime::Warp { lanes } => threads / u64::from(lanes.max(1)),
        Regime::SortRows if inner <= WARP => threads / WARP,
        Regime::Block
        | Regime::Tiled { .. }
        | Regime::Windows { .. }
        | Regime::SortRows
        | Regime::Merge => 1,
        Regime::Columns => group(rows),
        Regime::Tables => unreachable!("its tables say how many blocks"),
        Regime::Grid | Regime::Chained | Regime::Balanced { .. } | Regime::Sort { .. } => {
            return shared(rows, threads);
        }
        Regime::ColumnsGrid => {
            let group = group(rows);
            let (blocks, groups) = shared(rows.div_ceil(group), threads / group);
            // The last block needs no longer for their parts than each for its own.
            return (blocks.min(inner.isqrt() as u32).max(1), groups);
        }
    };
    // All loops are grid-stride, but many blocks that end soon are better than few that go far: on an H200 a copy takes 141 us
    // by as many as the device holds at once, 135 by 4 times as many, 131 by 16 times, and 128 by one for each part.
    const WAVES: u64 = 16;
    let needed = rows.div_ceil(per_block.max(1));
    (needed.min(resident * WAVES).max(1) as u32, 1)
}
