//! Independent elements.

use super::chunks::{Chunk, Size};
use super::dispatch::Work;
use crate::failure::Failure;
use crate::lanes::{Lanes, One};

/// A body that stores, for every point of a domain. All methods are `#[inline(always)]` in generated code.
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

/// Operations of a point from which it is computed alone. LLVM's time for a vectorised body goes up faster than its length: a crate
/// with the 3,500 operations of SHA-256 was not built within four minutes, and is in six seconds with a single lane.
const LARGE: u32 = 1000;

/// Computes one point, in a function of its own: for each loop of a function LLVM looks at all of the function.
#[inline(never)]
fn alone<E: Each>(body: &E, outer: E::Outer, point: u64, failures: &Failure) {
    body.at::<One>(outer, point, failures);
}

impl<E: Each> Work for EachChunk<'_, E> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let width = L::W as u64;
        let (first, last) = self.chunk.columns;
        for row in self.chunk.rows.0..self.chunk.rows.1 {
            let outer = self.body.outer(row);
            if const { E::COST > LARGE } {
                for column in first..last {
                    alone(self.body, outer, column, self.failures);
                }
                continue;
            }
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
