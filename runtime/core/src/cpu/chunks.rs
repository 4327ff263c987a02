//! Chunks of a domain: fixed by its extents, whatever the number of threads.

/// A domain as rows of columns; lanes run along the columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The product of all extents but the last.
    pub rows: u64,
    /// The last extent; 1 for a single point.
    pub columns: u64,
}

/// Elements of a chunk, about.
const CHUNK: u64 = 16 * 1024;

/// Below this much work (elements times operations) one thread is faster.
const LIGHT: u64 = 1_500_000;

/// A part of a domain: rows `rows.0..rows.1`, in each the columns `columns.0..columns.1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    pub(super) rows: (u64, u64),
    pub(super) columns: (u64, u64),
}

impl Size {
    /// All points.
    #[inline]
    pub(super) fn total(self) -> u64 {
        self.rows.saturating_mul(self.columns)
    }

    /// Whether threads pay, at `cost` operations a point.
    #[inline]
    pub(super) fn pays(self, cost: u32) -> bool {
        self.total().saturating_mul(u64::from(cost)) >= LIGHT
    }

    #[inline]
    fn per_row(self) -> u64 {
        (self.columns / CHUNK).max(1)
    }

    #[inline]
    fn rows_each(self) -> u64 {
        (CHUNK / self.columns.max(1)).max(1)
    }

    /// The number of chunks.
    #[inline]
    pub(super) fn chunks(self) -> u64 {
        if self.total() == 0 {
            return 0;
        }
        match self.per_row() {
            1 => self.rows.div_ceil(self.rows_each()),
            per_row => self.rows * per_row,
        }
    }

    /// The only chunk of a row that has but one.
    #[inline]
    pub(super) fn whole(self) -> Option<Chunk> {
        (self.rows == 1 && self.columns < 2 * CHUNK).then_some(Chunk {
            rows: (0, 1),
            columns: (0, self.columns),
        })
    }

    /// A chunk.
    #[inline]
    pub(super) fn chunk(self, index: u64) -> Chunk {
        match self.per_row() {
            1 => {
                let first = index * self.rows_each();
                Chunk {
                    rows: (first, (first + self.rows_each()).min(self.rows)),
                    columns: (0, self.columns),
                }
            }
            per_row => {
                let (row, part) = (index / per_row, index % per_row);
                let last = if part + 1 == per_row {
                    self.columns
                } else {
                    (part + 1) * CHUNK
                };
                Chunk {
                    rows: (row, row + 1),
                    columns: (part * CHUNK, last),
                }
            }
        }
    }
}
