//! Contractions: folds of rows with columns, worked on in tiles for the caches and blocks for the registers.
//!
//! Each element of the result is folded in order, from the first element of the fold to the last, whatever the sizes of
//! tiles and lanes: so its bits depend on neither. Lanes run along columns.

use super::chunks::Size;
use super::dispatch::{Versions, Work};
use super::state::State;
use super::threads;
use crate::failure::Failure;
use crate::lanes::{Lanes, One, VIRTUAL};

/// The extents of a contraction.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Extents {
    pub batches: u64,
    pub rows: u64,
    pub columns: u64,
    pub depth: u64,
}

/// A fold over what depends on a row, what depends on a column, and the place in the fold. All methods are
/// `#[inline(always)]` in generated code.
pub trait Contraction: Sync {
    /// Operations of a step, about.
    const COST: u32;
    /// What the tiles of a batch share.
    type Batch: Copy + Send + Sync;
    /// What depends on a row and the place.
    type Left: State;
    /// What depends on a column and the place.
    type Right: State;
    /// The leaves of the fold.
    type State: State;
    /// The domain.
    fn extents(&self) -> Extents;
    /// What a batch shares.
    fn batch(&self, batch: u64, failures: &Failure) -> Self::Batch;
    /// The left values of a row at the places `k..k + W`.
    fn left<L: Lanes>(
        &self,
        batch: Self::Batch,
        row: u64,
        k: u64,
        failures: &Failure,
    ) -> <Self::Left as State>::Of<L>;
    /// The right values at a place of the columns `column..column + W`.
    fn right<L: Lanes>(
        &self,
        batch: Self::Batch,
        column: u64,
        k: u64,
        failures: &Failure,
    ) -> <Self::Right as State>::Of<L>;
    /// Before the first place.
    fn start<L: Lanes>(&self, batch: Self::Batch) -> <Self::State as State>::Of<L>;
    /// After another place of a row and the columns `column..column + W`.
    fn step<L: Lanes>(
        &self,
        batch: Self::Batch,
        at: (u64, u64, u64),
        left: Self::Left,
        right: <Self::Right as State>::Of<L>,
        part: <Self::State as State>::Of<L>,
    ) -> <Self::State as State>::Of<L>;
    /// Stores the elements of a row at the columns `column..column + W`.
    fn finish<L: Lanes>(
        &self,
        batch: Self::Batch,
        row: u64,
        column: u64,
        total: <Self::State as State>::Of<L>,
        failures: &Failure,
    );
}

/// Rows of a tile: a multiple of all heights of blocks.
pub(super) const ROWS: u64 = 96;
/// A multiple of all heights of blocks.
pub(super) const HEIGHTS: u64 = 12;
/// Columns of a tile.
const COLUMNS: u64 = 512;
/// Places of the fold between two looks at a block's parts.
const DEPTH: u64 = 128;

/// A tile of the result.
struct Tile<'a, C> {
    kernel: &'a C,
    extents: Extents,
    batch: u64,
    rows: (u64, u64),
    columns: (u64, u64),
    failures: &'a Failure,
}

/// Rows of a block whose states fit into about three quarters of the registers: from one instruction set to the next,
/// there are twice as many, each twice as wide.
const fn height<L: Lanes, S: State>() -> usize {
    L::W * L::W * 3 / 2 / size_of::<S::Of<L>>()
}

impl<C: Contraction> Work for Tile<'_, C> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        if const { height::<L, C::State>() >= 12 } {
            self.blocks::<L, 12>();
        } else if const { height::<L, C::State>() >= 6 } {
            self.blocks::<L, 6>();
        } else {
            self.blocks::<L, 3>();
        }
    }
}

impl<C: Contraction> Tile<'_, C> {
    /// Goes through the fold in parts, through the columns lane by lane, and through the rows in blocks of `R`.
    #[inline(always)]
    fn blocks<L: Lanes, const R: usize>(&self) {
        let width = L::W as u64;
        let batch = self.kernel.batch(self.batch, self.failures);
        let (first, last) = self.rows;
        let (groups, vectors) = (
            (last - first).div_ceil(R as u64) as usize,
            (self.columns.1 - self.columns.0).div_ceil(width) as usize,
        );
        let mut parts = vec![[self.kernel.start::<L>(batch); R]; groups * vectors];
        let mut left = vec![[C::Left::ZERO; R]; groups * DEPTH as usize];
        let mut right = vec![C::Right::ZERO.splat::<L>(); DEPTH as usize];
        let mut start = 0;
        while start < self.extents.depth {
            let depth = (self.extents.depth - start).min(DEPTH) as usize;
            for (group, left) in left.chunks_exact_mut(DEPTH as usize).enumerate() {
                self.lefts::<L, R>(batch, first + (group * R) as u64, start, &mut left[..depth]);
            }
            for (vector, parts) in parts.chunks_exact_mut(groups).enumerate() {
                let column = self.columns.0 + vector as u64 * width;
                self.rights::<L>(batch, column, start, &mut right[..depth]);
                let groups = parts.iter_mut().zip(left.chunks_exact(DEPTH as usize));
                for (group, (parts, left)) in groups.enumerate() {
                    let at = (first + (group * R) as u64, column, start);
                    block::<L, C, R>(
                        self.kernel,
                        batch,
                        at,
                        &left[..depth],
                        &right[..depth],
                        parts,
                    );
                }
            }
            start += DEPTH;
        }
        for (vector, parts) in parts.chunks_exact(groups).enumerate() {
            let column = self.columns.0 + vector as u64 * width;
            for (row, part) in (first..last).zip(parts.iter().flatten()) {
                self.finish::<L>(batch, row, column, *part);
            }
        }
    }

    /// The left values of a block's rows: those of one place side by side. Rows that are not there are zeros.
    #[inline(always)]
    fn lefts<L: Lanes, const R: usize>(
        &self,
        batch: C::Batch,
        first: u64,
        start: u64,
        to: &mut [[C::Left; R]],
    ) {
        let mut values = [C::Left::ZERO; VIRTUAL];
        for r in 0..R {
            let row = first + r as u64;
            if row >= self.rows.1 {
                to.iter_mut().for_each(|to| to[r] = C::Left::ZERO);
                continue;
            }
            let mut at = 0;
            while at < to.len() {
                let k = start + at as u64;
                let count = if to.len() - at >= L::W {
                    let left = self.kernel.left::<L>(batch, row, k, self.failures);
                    C::Left::spread::<L>(left, &mut values[..L::W]);
                    L::W
                } else {
                    let left = self.kernel.left::<One>(batch, row, k, self.failures);
                    values[0] = C::Left::one(left);
                    1
                };
                for (to, value) in to[at..at + count].iter_mut().zip(values) {
                    to[r] = value;
                }
                at += count;
            }
        }
    }

    /// The right values of one vector of columns. Columns that are not there are zeros.
    #[inline(always)]
    fn rights<L: Lanes>(
        &self,
        batch: C::Batch,
        column: u64,
        start: u64,
        to: &mut [<C::Right as State>::Of<L>],
    ) {
        let present = (self.columns.1 - column).min(L::W as u64);
        let mut values = [C::Right::ZERO; VIRTUAL];
        for (at, to) in to.iter_mut().enumerate() {
            let k = start + at as u64;
            if present == L::W as u64 {
                *to = self.kernel.right::<L>(batch, column, k, self.failures);
                continue;
            }
            for lane in 0..present {
                let right = self
                    .kernel
                    .right::<One>(batch, column + lane, k, self.failures);
                values[lane as usize] = C::Right::one(right);
            }
            *to = C::Right::gathered::<L>(&values[..L::W]);
        }
    }

    #[inline(always)]
    fn finish<L: Lanes>(
        &self,
        batch: C::Batch,
        row: u64,
        column: u64,
        total: <C::State as State>::Of<L>,
    ) {
        let present = (self.columns.1 - column).min(L::W as u64);
        if present == L::W as u64 {
            self.kernel
                .finish::<L>(batch, row, column, total, self.failures);
            return;
        }
        let mut values = [C::State::ZERO; VIRTUAL];
        C::State::spread::<L>(total, &mut values[..L::W]);
        for (lane, value) in (0..present).zip(values) {
            let (column, total) = (column + lane, value.of_one());
            self.kernel
                .finish::<One>(batch, row, column, total, self.failures);
        }
    }
}

/// Some places of the fold for `R` rows and a vector of columns, in registers.
#[inline(always)]
fn block<L: Lanes, C: Contraction, const R: usize>(
    kernel: &C,
    batch: C::Batch,
    (row, column, start): (u64, u64, u64),
    left: &[[C::Left; R]],
    right: &[<C::Right as State>::Of<L>],
    parts: &mut [<C::State as State>::Of<L>; R],
) {
    let mut own = *parts;
    for (k, (left, right)) in left.iter().zip(right).enumerate() {
        for r in 0..R {
            let at = (row + r as u64, column, start + k as u64);
            own[r] = kernel.step::<L>(batch, at, left[r], *right, own[r]);
        }
    }
    *parts = own;
}

/// The tiles of some rows of a batch.
pub(super) fn tiles<V: Versions, C: Contraction>(
    kernel: &C,
    extents: Extents,
    (batch, first, last): (u64, u64, u64),
    failures: &Failure,
) {
    for across in 0..extents.columns.div_ceil(COLUMNS) {
        let column = across * COLUMNS;
        V::run(Tile {
            kernel,
            extents,
            batch,
            rows: (first, last),
            columns: (column, (column + COLUMNS).min(extents.columns)),
            failures,
        });
    }
}

/// Runs a contraction.
pub fn contraction<V: Versions, C: Contraction>(kernel: &C, failures: &Failure) {
    let extents = kernel.extents();
    let size = Size {
        rows: extents.batches * extents.rows * extents.columns,
        columns: extents.depth,
    };
    let shares = size.pays(C::COST);
    let across = extents.columns.div_ceil(COLUMNS);
    // Of a small result the tiles are lower, so that all threads have one. Elements are folded in order all the same.
    let height = match shares {
        true => {
            let lines = extents.batches * extents.rows * across;
            let each = lines / rayon::current_num_threads() as u64;
            each.next_multiple_of(HEIGHTS).clamp(HEIGHTS, ROWS)
        }
        false => ROWS,
    };
    let down = extents.rows.div_ceil(height);
    let tile = |index: u64| {
        let (batch, row, column) = (
            index / (down * across),
            index / across % down * height,
            index % across * COLUMNS,
        );
        let tile = Tile {
            kernel,
            extents,
            batch,
            rows: (row, (row + height).min(extents.rows)),
            columns: (column, (column + COLUMNS).min(extents.columns)),
            failures,
        };
        V::run(tile);
    };
    let tiles = extents.batches * down * across;
    threads::each(shares, tiles, &tile);
}
