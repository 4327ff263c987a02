//! Launches: a variant of a kernel, its arguments, and the memory that its blocks share.

use super::choice::{
    Sizes, WARP, average, axes, chained, choose, grid, merges, second, sort_scratch, tables,
    threads, tiles,
};
use super::driver::Stream;
use super::forced::forced;
use super::module::Code;
use super::{Choice, Gpu, failed, trace};
use crate::error::{Error, Result};
use crate::program::{Kernel, Regime};
use std::sync::{Mutex, PoisonError};

/// A launch, but for its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Launch<'a> {
    pub(crate) code: &'a Code,
    pub(crate) kernel: usize,
    pub(crate) description: &'a Kernel,
    pub(crate) sizes: Sizes,
}

/// Scratch memory of launches that fold a row by several blocks. All launches are in order on the main stream, so they
/// can share it.
#[derive(Default)]
pub(super) struct Scratch(Mutex<Held>);

#[derive(Default)]
struct Held {
    partials: Grown,
    /// Zero between launches: the kernels see to that.
    tickets: Grown,
    /// A word, as zero: whether a launch has left rows to the next one.
    left: Grown,
}

#[derive(Clone, Copy, Default)]
struct Grown {
    address: u64,
    bytes: usize,
}

impl Gpu {
    /// Queues a kernel on these buffers and scalars. `record` gives the address of the failure record, and the epoch.
    ///
    /// # Safety
    /// The arguments are those of the kernel, and stay valid until it ends.
    pub(crate) unsafe fn launch(
        &self,
        launch: Launch,
        buffers: impl ExactSizeIterator<Item = u64>,
        scalars: &[u64],
        record: impl FnOnce() -> Result<[u64; 2]>,
    ) -> Result<()> {
        let rows = launch.sizes.rows;
        if rows == 0 || is_scatter_into_nothing(launch) {
            return Ok(());
        }
        let entries = launch.description.entries;
        let mut index = forced(entries, launch.sizes, scalars)
            .or_else(|| choose(entries, launch.sizes, scalars, &self.machine))
            .ok_or_else(|| Error::Cuda {
                message: format!("no variant of `{}` fits", launch.description.name),
            })?;
        let mut arguments = Vec::with_capacity(buffers.len() + scalars.len() + 6);
        arguments.extend(buffers);
        arguments.extend_from_slice(scalars);
        if entries[index].failure {
            arguments.extend(record()?);
        }
        // Before the lock is taken: what is not loaded yet is compiled here.
        let second = second(entries, index, rows, scalars, &self.machine);
        for index in [Some(index), second.map(|(second, _)| second)]
            .into_iter()
            .flatten()
        {
            self.variant(launch.code, launch.kernel, index, &entries[index])?;
        }
        // Held to the end: another thread that lets the scratch grow must queue its launches after this one's.
        let mut held = (self.scratch.0.lock()).unwrap_or_else(PoisonError::into_inner);
        let mut left = [u64::MAX, 0];
        if let Some((second, most)) = second {
            self.grow(&mut held.left, size_of::<u32>(), true)?;
            left = [most, held.left.address];
            let arguments = arguments.clone();
            // SAFETY: by contract.
            unsafe { self.queue(launch, index, arguments, scalars, left, &mut held)? };
            index = second;
        }
        // SAFETY: by contract.
        unsafe { self.queue(launch, index, arguments, scalars, left, &mut held) }
    }

    /// Queues one variant of a kernel. `left`: what it may leave to the one after it, or is left by the one before.
    ///
    /// # Safety
    /// As of [`Gpu::launch`]; the arguments are those that all variants take.
    unsafe fn queue(
        &self,
        launch: Launch,
        index: usize,
        mut arguments: Vec<u64>,
        scalars: &[u64],
        left: [u64; 2],
        held: &mut Held,
    ) -> Result<()> {
        let Sizes { rows, inner, .. } = launch.sizes;
        let entries = launch.description.entries;
        let entry = &entries[index];
        let variant = self.variant(launch.code, launch.kernel, index, entry)?;
        let (rows, average) = match entry.regime {
            // Of a sort the host counts elements.
            Regime::SortRows | Regime::Sort { .. } | Regime::Merge => {
                (rows / inner.unwrap_or(1).max(1), launch.sizes.inner())
            }
            Regime::Balanced { .. } => (1, rows + axes(entry.regime, rows, scalars).unwrap_or(0)),
            _ => (rows, average(entries, launch.sizes, scalars)),
        };
        // A row needs no more threads than have an element of it.
        let threads = match (entry.regime, inner) {
            (Regime::SortRows, Some(inner)) if inner > WARP => {
                let needed = inner
                    .div_ceil(u64::from(entry.items))
                    .next_multiple_of(WARP);
                entry.threads.min(needed as u32)
            }
            _ => threads(
                entries,
                entry,
                launch.sizes,
                average,
                scalars,
                &self.machine,
            ),
        };
        let blocks = u64::from(variant.resident) * u64::from(entry.threads / threads);
        let resident = blocks * u64::from(self.machine.multiprocessors);
        let tables = tables(entry, launch.sizes, &self.machine, variant.resident);
        let grid = match (tiles(entry.regime, rows, scalars), tables) {
            (Some(tiles), _) => (tiles.count.min(resident.max(1)).min(1 << 30) as u32, 1),
            (None, Some(tables)) => (tables.blocks, tables.ranges),
            (None, None) => grid(entry, rows, average, resident),
        };
        let shared = tables.map_or(entry.shared, |tables| tables.bytes);
        arguments.extend(tables.map(|tables| u64::from(tables.copies)));
        trace::push(|| Choice {
            kernel: launch.description.name,
            variant: entry.name,
            blocks: grid,
            threads,
            resident: variant.resident,
            shared,
        });
        let queue = |arguments: &[u64]| {
            // SAFETY: by contract.
            unsafe {
                self.driver
                    .launch(variant.function, grid, threads, shared, arguments)
            }
            .map_err(|error| failed(&format!("launch of `{}`", entry.name), error))
        };
        let leaves = if entry.leaves { &left[..] } else { &[] };
        if entry.partial == 0 {
            arguments.extend(leaves);
            return queue(&arguments);
        }
        let several = match entry.regime {
            Regime::Sort { passes } => {
                let scratch = sort_scratch(entry, passes, rows, inner.unwrap_or(1));
                Some((scratch, u64::from(passes)))
            }
            Regime::Merge => Some(merges(entry, rows, inner.unwrap_or(1))),
            _ => None,
        };
        if let Some(([zeros, all], launches)) = several {
            self.grow(&mut held.partials, all, false)?;
            // SAFETY: that large; launches that use it are queued already.
            unsafe { self.fill(held.partials.address, 0, zeros)? };
            arguments.extend([held.partials.address, 0]);
            return (0..=launches).try_for_each(|launch| {
                let arguments = [&arguments[..], &[launch]].concat();
                queue(&arguments)
            });
        }
        // One partial result per block of a row, or of each of 32 rows; one ticket per row or group.
        let rows = rows as usize;
        let (blocks, size) = (grid.0 as usize, entry.partial as usize);
        let (partials, tickets) = match entry.regime {
            Regime::Chained | Regime::Balanced { .. } => (0, rows * chained(entry, average)),
            _ => (
                rows.next_multiple_of(32) * blocks * size,
                rows * size_of::<u32>(),
            ),
        };
        self.grow(&mut held.partials, partials, false)?;
        self.grow(&mut held.tickets, tickets, true)?;
        arguments.extend([held.partials.address, held.tickets.address]);
        arguments.extend(leaves);
        queue(&arguments)
    }

    /// Makes scratch memory at least this large; what it held is lost.
    fn grow(&self, held: &mut Grown, bytes: usize, zero: bool) -> Result<()> {
        if bytes <= held.bytes {
            return Ok(());
        }
        let bytes = bytes.next_power_of_two().max(1 << 16);
        self.shrink(held);
        held.address = self.allocate_beside_scratch(bytes, Stream::Main)?;
        if zero {
            // SAFETY: just allocated.
            unsafe { self.driver.fill(held.address, 0, bytes) }
                .map_err(|error| failed("cuMemsetD8Async", error))?;
        }
        held.bytes = bytes;
        Ok(())
    }

    /// Gives scratch memory back.
    fn shrink(&self, held: &mut Grown) {
        let Grown { address, .. } = std::mem::take(held);
        if address != 0 {
            // SAFETY: launches that use it are queued already.
            unsafe { self.driver.free(address, Stream::Main) };
        }
    }

    /// Gives all scratch memory back; whether there was any. A large sort may have left more than anything else needs.
    pub(super) fn release_scratch(&self) -> bool {
        let mut held = (self.scratch.0.lock()).unwrap_or_else(PoisonError::into_inner);
        let Held {
            partials, tickets, ..
        } = &mut *held;
        let any = partials.address != 0 || tickets.address != 0;
        self.shrink(partials);
        self.shrink(tickets);
        any
    }
}

/// Nobody asks for an element of an empty result. Of elementwise kernels scatters only have a target.
fn is_scatter_into_nothing(launch: Launch) -> bool {
    let entry = launch.description.entries.first();
    launch.sizes.inner == Some(0) && entry.is_some_and(|entry| entry.regime == Regime::Elementwise)
}
