//! How the blocks of a scatter divide its targets and points when each combines its points in a table of its own.

use crate::program::Entry;

/// Bytes of the largest table: small enough for several blocks on a multiprocessor.
const LARGEST: u64 = 40 << 10;

/// Bytes that a table may take for copies: with so many, a multiprocessor holds as many threads as without.
const COPIES: u64 = 16 << 10;

/// Copies of an element that lanes of a warp could want at once.
const MOST_COPIES: u64 = 32;

/// Ranges of the targets. Blocks of each go through all points, so that more than some would cost more than they save
/// (Henriksen et al., SC'20, found two to six to pay on one device; not measured here).
const MOST_RANGES: u64 = 4;

/// What blocks have tables of, and how many blocks there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tables {
    /// How many parts the targets are divided into: of blocks in y.
    pub(super) ranges: u32,
    /// How often an element is in a table: a power of two.
    pub(super) copies: u32,
    /// Blocks in x, which share the points.
    pub(super) blocks: u32,
    /// Bytes of a table.
    pub(super) bytes: u32,
}

impl Tables {
    /// Blocks whose tables find a place in a multiprocessor's shared memory.
    pub(super) const RESIDENT: u32 = 4;

    /// Whether so many targets have tables.
    pub(super) fn fits(entry: &Entry, targets: u64) -> bool {
        Tables::ranges(entry, targets) <= MOST_RANGES
    }

    fn ranges(entry: &Entry, targets: u64) -> u64 {
        targets.div_ceil(LARGEST / Tables::element(entry)).max(1)
    }

    fn element(entry: &Entry) -> u64 {
        u64::from(entry.shared).max(1)
    }

    /// The tables for these points and targets, if they fit: a block has more points than elements to be cleared and handed
    /// on, if it is not the only one. `resident` blocks of small tables find a place on the device at once.
    pub(super) fn of(entry: &Entry, points: u64, targets: u64, resident: u64) -> Option<Tables> {
        if !Tables::fits(entry, targets) {
            return None;
        }
        let (element, ranges) = (Tables::element(entry), Tables::ranges(entry, targets));
        let elements = targets.div_ceil(ranges).max(1);
        let at_once = u64::from(entry.threads) * u64::from(entry.items.max(1));
        let useful = points.div_ceil(at_once).max(1);
        let wanted = useful.min((resident / ranges).max(1));
        // Fewer blocks have more points each.
        let blocks = wanted.min(points / (2 * elements)).max(1);
        let mut copies = MOST_COPIES;
        let pays = |copies: u64| {
            copies * elements * element <= COPIES && 2 * copies * elements * blocks <= points
        };
        while copies > 1 && !pays(copies) {
            copies /= 2;
        }
        Some(Tables {
            ranges: ranges as u32,
            copies: copies as u32,
            blocks: blocks as u32,
            bytes: (copies * elements * element).next_multiple_of(8) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Regime;

    fn tables(points: u64, targets: u64) -> Option<Tables> {
        let entry = Entry {
            name: "k",
            regime: Regime::Tables,
            threads: 512,
            items: 4,
            kept: 0,
            shared: 4,
            partial: 0,
            narrow: true,
            small: &[],
            failure: false,
            leaves: false,
        };
        Tables::of(&entry, points, targets, 400)
    }

    #[test]
    fn few_targets_have_copies() {
        let found = tables(1 << 25, 256).unwrap();
        assert_eq!((found.ranges, found.copies, found.bytes), (1, 16, 16 << 10));
        assert_eq!(found.blocks, 400);
        assert_eq!(tables(1 << 25, 1).unwrap().copies, 32);
    }

    #[test]
    fn copies_are_worth_their_points() {
        // Two blocks of 1500 points each.
        let found = tables(3000, 256).unwrap();
        assert_eq!((found.blocks, found.copies), (2, 2));
        assert_eq!(tables(300, 256).unwrap().blocks, 1);
    }

    #[test]
    fn many_targets_are_divided() {
        let found = tables(1 << 25, 30_000).unwrap();
        assert_eq!((found.ranges, found.copies, found.blocks), (3, 1, 133));
        assert_eq!(found.bytes, 40_000);
        assert_eq!(tables(1 << 25, 50_000), None);
    }

    #[test]
    fn no_target_and_no_point() {
        assert!(tables(0, 10).is_some());
        assert!(tables(100, 0).is_some());
    }
}
