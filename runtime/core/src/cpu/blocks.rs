//! Blocks of rows whose folds combine products: a block's are made first, in tiles, and put into rooms of its own, where the phases
//! of its rows read them.

use super::chunks::{Chunk, Size};
use super::dispatch::Versions;
use super::fold::{Fold, FoldChunk, is_empty, join};
use super::rows::{RowRange, Rows};
use super::threads;
use super::tiles::{Contraction, Extents, HEIGHTS, ROWS, tiles};
use crate::failure::Failure;

/// Memory of a block, in which products that have been made stay in a cache.
const BYTES: u64 = 1 << 20;

/// Where a block's products are: an array for each leaf.
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    start: *mut u64,
    /// Of each array.
    elements: usize,
}

impl Rooms {
    /// Of no block.
    const NONE: Rooms = Rooms {
        start: std::ptr::null_mut(),
        elements: 0,
    };

    /// In `memory`, which grows as it must.
    fn new(memory: &mut Vec<u64>, rooms: usize, elements: u64) -> Rooms {
        let elements = elements as usize;
        if memory.len() < rooms * elements {
            *memory = vec![0; rooms * elements];
        }
        Rooms {
            start: memory.as_mut_ptr(),
            elements,
        }
    }

    /// One of them.
    pub fn room<T>(self, room: usize) -> *mut T {
        const { assert!(size_of::<T>() <= size_of::<u64>()) };
        self.start.wrapping_add(room * self.elements).cast()
    }
}

/// A kernel of rows that are worked on in blocks.
pub trait Blocks: Sync {
    /// Leaves of a product.
    const ROOMS: usize;
    /// Stores the products of a block.
    type Products: Contraction;
    /// Reads them.
    type Rows: Rows;
    /// The products of the block that begins with row `first` of a batch.
    fn products(&self, rooms: Rooms, first: u64) -> Self::Products;
    /// The rows of it.
    fn rows(&self, rooms: Rooms, first: u64) -> Self::Rows;
}

/// A reduction of a domain whose rows are worked on in blocks.
pub trait FoldBlocks: Fold {
    /// Leaves of a product.
    const ROOMS: usize;
    /// Stores the products of a block.
    type Products: Contraction;
    /// The products of the block that begins with row `first`.
    fn products(&self, rooms: Rooms, first: u64) -> Self::Products;
    /// The reduction where it reads them.
    fn of_block(self, rooms: Rooms, first: u64) -> Self;
}

/// Rows of a block, whatever the number of threads.
fn height(columns: u64, rooms: usize) -> u64 {
    let row = (columns * rooms as u64 * size_of::<f32>() as u64).max(1);
    (BYTES / row / HEIGHTS * HEIGHTS).clamp(HEIGHTS, ROWS)
}

/// Whether threads pay.
fn pays<C: Contraction>(extents: Extents) -> bool {
    let size = Size {
        rows: extents.rows.saturating_mul(extents.columns),
        columns: extents.depth,
    };
    size.pays(C::COST)
}

/// Runs a kernel of rows, block by block.
pub fn blocks<V: Versions, B: Blocks>(kernel: &B, failures: &Failure) {
    let extents = kernel.products(Rooms::NONE, 0).extents();
    let all = Extents {
        rows: extents.batches.saturating_mul(extents.rows),
        ..extents
    };
    let shares = pays::<B::Products>(all);
    // A row is worked on by itself: blocks may be smaller, so that all threads have one.
    let each = match shares {
        true => all.rows.div_ceil(2 * rayon::current_num_threads() as u64),
        false => all.rows,
    };
    let height = height(extents.columns, B::ROOMS).min(each.next_multiple_of(HEIGHTS).max(1));
    let down = extents.rows.div_ceil(height);
    let block = |memory: &mut Vec<u64>, index: u64| {
        let (batch, first) = (index / down, index % down * height);
        let last = (first + height).min(extents.rows);
        let rooms = Rooms::new(memory, B::ROOMS, height * extents.columns);
        let products = kernel.products(rooms, first);
        tiles::<V, _>(&products, extents, (batch, first, last), failures);
        let before = batch * extents.rows;
        let rows = (before + first, before + last);
        V::run(RowRange::<V, _>::new(
            &kernel.rows(rooms, first),
            rows,
            failures,
        ));
    };
    threads::each_with(shares, extents.batches * down, Vec::new, &block);
}

/// A reduction, block by block; `None` over an empty domain. Its products are those of a batch.
pub(super) fn fold_blocks<V: Versions, F: FoldBlocks>(
    fold: &F,
    batch: u64,
    failures: &Failure,
) -> Option<F::State> {
    let size = fold.size();
    if is_empty(size) {
        return None;
    }
    let extents = fold.products(Rooms::NONE, 0).extents();
    let height = height(size.columns, F::ROOMS);
    let block = |memory: &mut Vec<u64>, index: u64| {
        let first = index * height;
        let last = (first + height).min(size.rows);
        let rooms = Rooms::new(memory, F::ROOMS, height * size.columns);
        let products = fold.products(rooms, first);
        tiles::<V, _>(&products, extents, (batch, first, last), failures);
        let chunk = Chunk {
            rows: (first, last),
            columns: (0, size.columns),
        };
        V::run(FoldChunk {
            fold: &fold.of_block(rooms, first),
            chunk,
            failures,
        })
    };
    let shares = pays::<F::Products>(extents);
    let parts = threads::collect_with(shares, size.rows.div_ceil(height), Vec::new, block);
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    Some(parts.fold(first, |result, next| join(fold, result, next, failures)))
}
