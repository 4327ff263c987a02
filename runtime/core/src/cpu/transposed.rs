//! Independent elements some of whose loads run along another axis than the stores: a block of both axes at a time. Its loads
//! are made first, along the one axis, and put where the points find them along the other, so that every line of memory is read
//! and written in one go.

use super::dispatch::{Versions, Work};
use super::each::Each;
use super::threads;
use crate::failure::Failure;
use crate::lanes::{Lanes, One};
use std::mem::MaybeUninit;

/// Points of a block along an axis, at most: no fewer than lanes.
const MOST: usize = 64;
/// Points along the axis of the stores that one thread goes through.
const PIECE: u64 = 1024;
/// Points of a chunk of several small domains, about.
const CHUNK: u64 = 16 * 1024;

/// The axes of a domain, outermost first: that of the loads with those outside of it and those between it and the last, and the
/// last, which is that of the stores.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Axes {
    pub outer: u64,
    pub across: u64,
    pub between: u64,
    pub along: u64,
}

/// A body with such loads. All methods are `#[inline(always)]` in generated code.
pub trait Transposed: Each {
    /// Points of a block along each axis.
    const SIDE: usize;
    /// What is loaded for a block: [`Loaded`] of each array.
    type Block;
    /// The domain.
    fn axes(&self) -> Axes;
    /// Room for a block.
    fn block() -> Self::Block;
    /// Loads what `size[0]` rows from `outer` on, neighbours across, need at `size[1]` points from `first` on.
    fn load(&self, outer: Self::Outer, first: u64, size: [usize; 2], block: &mut Self::Block);
    /// Computes the points `first..first + W` of a row, which begin at this place of the block.
    fn in_block<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        block: &Self::Block,
        place: usize,
        failures: &Failure,
    );
}

/// The elements of an array for the points of a block, row by row.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Loaded<T, const PLACES: usize>([MaybeUninit<T>; PLACES]);

impl<T: Copy, const PLACES: usize> Loaded<T, PLACES> {
    /// Nothing yet.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "it holds nothing")]
    pub fn new() -> Self {
        Loaded([const { MaybeUninit::uninit() }; PLACES])
    }

    /// A place.
    #[inline(always)]
    pub fn at(&self, place: usize) -> *const T {
        debug_assert!(place < PLACES);
        self.0.as_ptr().cast::<T>().wrapping_add(place)
    }

    /// Loads elements for so many rows of so many points: those of neighbouring rows are neighbours in memory, those of
    /// neighbouring points are `stride` apart.
    ///
    /// # Safety
    ///
    /// The elements are there.
    #[inline(always)]
    pub unsafe fn load<const SIDE: usize>(
        &mut self,
        from: *const T,
        stride: u64,
        [rows, points]: [usize; 2],
    ) {
        const { assert!(SIDE * SIDE == PLACES) };
        assert!(rows <= SIDE && points <= SIDE);
        let to = self.0.as_mut_ptr().cast::<T>();
        let row = |point: usize| from.wrapping_add((point as u64).wrapping_mul(stride) as usize);
        // A square at a time is turned in registers.
        const SQUARE: usize = 8;
        let (whole_rows, whole_points) = (rows / SQUARE * SQUARE, points / SQUARE * SQUARE);
        for point in (0..whole_points).step_by(SQUARE) {
            for first in (0..whole_rows).step_by(SQUARE) {
                // SAFETY: so many neighbours are there.
                let read: [[T; SQUARE]; SQUARE] = std::array::from_fn(|k| unsafe {
                    row(point + k)
                        .wrapping_add(first)
                        .cast::<[T; SQUARE]>()
                        .read_unaligned()
                });
                let turned: [[T; SQUARE]; SQUARE] =
                    std::array::from_fn(|k| std::array::from_fn(|point| read[point][k]));
                for (k, turned) in turned.into_iter().enumerate() {
                    let place = to.wrapping_add((first + k) * SIDE + point);
                    // SAFETY: the row and the points are in the block.
                    unsafe { place.cast::<[T; SQUARE]>().write_unaligned(turned) };
                }
            }
        }
        for point in 0..points {
            let from = if point < whole_points { whole_rows } else { 0 };
            for k in from..rows {
                // SAFETY: as above.
                unsafe { *to.wrapping_add(k * SIDE + point) = *row(point).wrapping_add(k) };
            }
        }
    }
}

/// Runs a kernel of such elements.
pub fn transposed<V: Versions, T: Transposed>(kernel: &T, failures: &Failure) {
    let size = kernel.size();
    if size.total() == 0 {
        return;
    }
    let axes = kernel.axes();
    let side = T::SIDE as u64;
    let parts =
        [(axes.across, side), (axes.along, PIECE)].map(|(extent, least)| Parts { extent, least });
    let [rows, columns] = parts;
    let domains = axes.outer * axes.between;
    // Domains that are no more than one part share a chunk.
    let each = match rows.count() * columns.count() {
        1 => (CHUNK / (axes.across * axes.along)).max(1),
        _ => 1,
    };
    let chunks = domains.div_ceil(each) * rows.count() * columns.count();
    let part = |index: u64| {
        let (rest, column) = (index / columns.count(), index % columns.count());
        let (domain, row) = (rest / rows.count(), rest % rows.count());
        V::run(Chunk {
            kernel,
            axes,
            domains: (domain * each, ((domain + 1) * each).min(domains)),
            rows: rows.part(row),
            columns: columns.part(column),
            failures,
        });
    };
    threads::each(size.pays(T::COST), chunks, &part);
}

/// An extent in parts of at least so many points, and fewer than twice as many.
#[derive(Clone, Copy)]
struct Parts {
    extent: u64,
    least: u64,
}

impl Parts {
    fn count(self) -> u64 {
        (self.extent / self.least).max(1)
    }

    fn part(self, index: u64) -> (u64, u64) {
        let last = match index + 1 == self.count() {
            true => self.extent,
            false => (index + 1) * self.least,
        };
        (index * self.least, last)
    }
}

/// Rows and columns of some domains.
struct Chunk<'a, T> {
    kernel: &'a T,
    axes: Axes,
    domains: (u64, u64),
    rows: (u64, u64),
    columns: (u64, u64),
    failures: &'a Failure,
}

impl<T: Transposed> Work for Chunk<'_, T> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        const { assert!(T::SIDE <= MOST && L::W <= T::SIDE) };
        let (kernel, failures, (top, bottom)) = (self.kernel, self.failures, self.rows);
        let (left, right) = self.columns;
        let mut block = T::block();
        let mut outers = [const { MaybeUninit::<T::Outer>::uninit() }; 2 * MOST];
        for domain in self.domains.0..self.domains.1 {
            let (x, y) = (domain / self.axes.between, domain % self.axes.between);
            for row in top..bottom {
                let row_of_all = (x * self.axes.across + row) * self.axes.between + y;
                outers[(row - top) as usize].write(kernel.outer(row_of_all));
            }
            // SAFETY: those of all rows have been written.
            let outer = |row: u64| unsafe { outers[(row - top) as usize].assume_init() };
            if right - left < L::W as u64 {
                for row in top..bottom {
                    for column in left..right {
                        kernel.at::<One>(outer(row), column, failures);
                    }
                }
                continue;
            }
            for (first, points) in blocks(left, right, T::SIDE) {
                for (row, rows) in blocks(top, bottom, T::SIDE) {
                    kernel.load(outer(row), first, [rows, points], &mut block);
                    for k in 0..rows {
                        let outer = outer(row + k as u64);
                        let mut at = 0;
                        // The last lanes overlap those before, as the last block does: they write the same values again.
                        while at < points {
                            let own = at.min(points - L::W);
                            let place = k * T::SIDE + own;
                            kernel.in_block::<L>(
                                outer,
                                first + own as u64,
                                &block,
                                place,
                                failures,
                            );
                            at += L::W;
                        }
                    }
                }
            }
        }
    }
}

/// Where blocks begin, and how many points they have: all alike, but for a single one.
#[inline(always)]
fn blocks(from: u64, end: u64, side: usize) -> impl Iterator<Item = (u64, usize)> {
    let points = (end - from).min(side as u64);
    let starts = (from..end).step_by(side);
    starts.map(move |start| (start.min(end - points), points as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_turned() {
        const SIDE: usize = 32;
        let memory: Vec<u16> = (0..40 * 40).collect();
        for size in [[1, 1], [3, 32], [8, 8], [9, 17], [32, 31], [32, 32]] {
            let mut block = Loaded::<u16, { SIDE * SIDE }>::new();
            // SAFETY: there are 32 rows of 40 elements from the second element on.
            unsafe { block.load::<SIDE>(&memory[1], 40, size) };
            for row in 0..size[0] {
                for point in 0..size[1] {
                    // SAFETY: it has just been loaded.
                    let found = unsafe { *block.at(row * SIDE + point) };
                    assert_eq!(
                        found,
                        memory[1 + 40 * point + row],
                        "{row}, {point} of {size:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn blocks_cover_a_part() {
        for (from, end) in [(0, 1), (5, 69), (0, 127), (64, 200)] {
            let mut covered = vec![false; end as usize];
            for (first, points) in blocks(from, end, 64) {
                assert!(first >= from);
                covered[first as usize..][..points].fill(true);
            }
            assert!(covered[from as usize..].iter().all(|&covered| covered));
        }
    }
}
