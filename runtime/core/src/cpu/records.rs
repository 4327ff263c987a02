//! What is sorted: elements that are computed, and two buffers for them.

use super::chunks::Size;
use super::dispatch::{Versions, Work};
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Lanes, One};

/// The elements of a sort. All methods are `#[inline(always)]` in generated code, but for long bodies.
pub trait Records: Sync {
    /// Operations per point, about.
    const COST: u32;
    /// An element.
    type State: State;
    /// What the points of a row of the domain share.
    type Outer: Copy;
    /// The domain of the points.
    fn size(&self) -> Size;
    /// The coordinates of a row of the domain.
    fn outer(&self, row: u64) -> Self::Outer;
    /// The number of points that are sorted together.
    fn length(&self) -> u64;
    /// The elements at the points `first..first + W` of a row of the domain.
    fn elements<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L>;
    /// An element in one of two buffers; the first is for the result. Of leaves that are not stored there, zero.
    fn read<const BUFFER: usize>(&self, at: u64) -> Self::State;
    /// Stores an element. Nobody else does anything with its place at the time.
    fn write<const BUFFER: usize>(&self, at: u64, state: Self::State);
}

/// The elements of points before they are sorted, in order, in blocks with the place of the first.
pub(super) fn elements<V: Versions, S: Records>(
    kernel: &S,
    range: (u64, u64),
    take: &mut dyn FnMut(u64, &[S::State]),
    failures: &Failure,
) {
    V::run(Elements {
        kernel,
        range,
        take,
        failures,
    });
}

/// Elements that are computed before they are taken.
pub(super) const BLOCK: u64 = 512;

/// Elements in order, of which `take` gets blocks: its code is not in that of the elements, which is there for each
/// instruction set.
struct Elements<'a, S: Records> {
    kernel: &'a S,
    range: (u64, u64),
    take: &'a mut dyn FnMut(u64, &[S::State]),
    failures: &'a Failure,
}

impl<S: Records> Work for Elements<'_, S> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let columns = self.kernel.size().columns;
        let (mut point, last) = self.range;
        let mut block = vec![S::State::ZERO; BLOCK.min(last - point) as usize];
        while point < last {
            let (row, first) = (point / columns, point % columns);
            let count = (columns - first).min(last - point).min(BLOCK);
            let outer = self.kernel.outer(row);
            let block = &mut block[..count as usize];
            let mut wide = block.chunks_exact_mut(L::W);
            let mut column = first;
            for to in &mut wide {
                let states = self.kernel.elements::<L>(outer, column, self.failures);
                S::State::spread::<L>(states, to);
                column += L::W as u64;
            }
            for to in wide.into_remainder() {
                let state = self.kernel.elements::<One>(outer, column, self.failures);
                *to = S::State::one(state);
                column += 1;
            }
            (self.take)(point, block);
            point += count;
        }
    }
}
