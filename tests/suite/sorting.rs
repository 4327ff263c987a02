//! What the launches of a sort are given: how many there are, and their memory.

use crate::entries::product;
use accelerate_compiler::codegen::cuda;
use accelerate_compiler::plan::{Kernel, Skeleton};
use accelerate_compiler::scalar::Scalar;

/// What a sort is asked.
pub(crate) struct Sorting {
    pub(crate) rows: u64,
    pub(crate) length: u64,
}

impl Sorting {
    pub(crate) fn of(
        kernel: &Kernel,
        points: u64,
        scalars: &[Scalar],
    ) -> Result<Option<Sorting>, String> {
        let Skeleton::Sort { length, .. } = &kernel.skeleton else {
            return Ok(None);
        };
        let length = product(kernel, &[*length], scalars)?;
        let rows = points / length;
        Ok(Some(Sorting { rows, length }))
    }

    /// Tiles of a row.
    pub(crate) fn tiles(&self, entry: &cuda::Entry, threads: u32) -> u64 {
        let tile = u64::from(threads * entry.items_per_thread);
        self.length.div_ceil(tile)
    }

    /// Launches after the first, as [`cuda::Regime::Merge`] wants them.
    pub(crate) fn merges(&self, entry: &cuda::Entry, threads: u32) -> u32 {
        2 * self.tiles(entry, threads).next_power_of_two().ilog2()
    }

    /// Memory for these.
    pub(crate) fn cuts(&self, entry: &cuda::Entry, threads: u32) -> Vec<u8> {
        let words = self.rows * self.tiles(entry, threads);
        let bytes = words as usize * entry.partial_bytes as usize;
        [vec![0; bytes], vec![0xfb; bytes]].concat()
    }

    /// Memory for the passes, as [`cuda::Regime::Sort`] wants it.
    pub(crate) fn scratch(&self, entry: &cuda::Entry, threads: u32, passes: u32) -> Vec<u8> {
        let tile = u64::from(threads * entry.items_per_thread);
        let states = 256 * self.rows * self.length.div_ceil(tile);
        let zeros = u64::from(passes) * (1 + 256 * self.rows);
        let bytes = |words: u64| words as usize * entry.partial_bytes as usize;
        [vec![0; bytes(zeros)], vec![0xfb; bytes(2 * states)]].concat()
    }
}
