//! Independent elements.

use super::chunks::{Chunk, Size};
use super::dispatch::Work;
use crate::failure::Failure;
use crate::lanes::{Lanes, One};

/// A body that stores, for every point of a domain. All methods are `#[inline(always)]` in generated code, but for long bodies.
pub trait Each: Sync {
    /// Operations per point, about.
    const COST: u32;
    /// What the points of a row share.
    type Outer: Copy;
    /// The domain.
    fn size(&self) -> Size;
    /// The coordinates of a row.
    fn outer(&self, row: u64) -> Self::Outer;
    /// Computes the points `first..first + W` of a row.
    fn at<L: Lanes>(&self, outer: Self::Outer, first: u64, failures: &Failure);
}

/// A chunk of a body's domain.
pub(super) struct EachChunk<'a, E> {
    pub(super) body: &'a E,
    pub(super) chunk: Chunk,
    pub(super) failures: &'a Failure,
}

impl<E: Each> Work for EachChunk<'_, E> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let width = L::W as u64;
        let (first, last) = self.chunk.columns;
        for row in self.chunk.rows.0..self.chunk.rows.1 {
            let outer = self.body.outer(row);
            if last - first < width {
                for column in first..last {
                    self.body.at::<One>(outer, column, self.failures);
                }
                continue;
            }
            let mut column = first;
            // The last block overlaps the one before: it writes the same values again.
            while column < last {
                self.body
                    .at::<L>(outer, column.min(last - width), self.failures);
                column += width;
            }
        }
    }
}
