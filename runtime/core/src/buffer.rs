//! One leaf of an array in the memory of a device, shared by reference count.

use crate::cuda;
use crate::device::{Device, Target};
use crate::element::{Element, join, split};
use crate::error::Result;
use crate::failure::Status;
use crate::memory;
use std::sync::Arc;

/// Memory of a device. Empty ones have no memory at all: a driver refuses to allocate nothing.
#[derive(Clone, Debug, Default)]
pub struct Buffer(Option<Arc<Block>>);

#[derive(Debug)]
enum Block {
    Host(memory::Block),
    Cuda(cuda::Block),
}

impl Buffer {
    /// No memory.
    pub(crate) const EMPTY: Buffer = Buffer(None);

    /// Host memory, uninitialised.
    pub(crate) fn host(bytes: usize) -> Result<Buffer> {
        if bytes == 0 {
            return Ok(Buffer(None));
        }
        let block = Block::Host(memory::Block::new(bytes)?);
        Ok(Buffer(Some(Arc::new(block))))
    }

    /// Memory of a GPU, uninitialised.
    pub(crate) fn cuda(gpu: &Arc<cuda::Gpu>, bytes: usize) -> Result<Buffer> {
        if bytes == 0 {
            return Ok(Buffer(None));
        }
        let block = Block::Cuda(cuda::Block::new(gpu, words(bytes))?);
        Ok(Buffer(Some(Arc::new(block))))
    }

    /// Gives up this share of the memory.
    pub fn release(&mut self) {
        self.0 = None;
    }

    /// Whether the memory has no other owner.
    pub(crate) fn is_sole(&self) -> bool {
        let owners = self.0.as_ref().map_or(1, Arc::strong_count);
        owners == 1
    }

    /// Where the elements lie in host memory; dangling, but aligned, for an empty buffer.
    ///
    /// # Panics
    /// For memory of a GPU.
    pub fn pointer<T>(&self) -> *mut T {
        match self.0.as_deref() {
            None => std::ptr::without_provenance_mut(64),
            Some(Block::Host(block)) => block.pointer().cast(),
            Some(Block::Cuda(_)) => unreachable!("memory of a GPU where host memory was expected"),
        }
    }

    /// Where the elements lie in the memory of the GPU; 0 for an empty buffer.
    ///
    /// # Panics
    /// For host memory.
    pub fn address(&self) -> u64 {
        match self.0.as_deref() {
            None => 0,
            Some(Block::Cuda(block)) => block.address(),
            Some(Block::Host(_)) => unreachable!("host memory where that of a GPU was expected"),
        }
    }
}

impl Buffer {
    /// The size of the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self.0.as_deref() {
            Some(Block::Cuda(block)) => block.bytes(),
            Some(Block::Host(block)) => block.bytes(),
            None => 0,
        }
    }
}

/// Small elements are changed atomically with the word around them.
fn words(bytes: usize) -> usize {
    bytes.next_multiple_of(4)
}

/// Columns of values in host memory.
pub(crate) fn columns_of<T: Element>(values: &[T]) -> Result<Vec<Buffer>> {
    let columns = crate::element::leaves::<T>()
        .map(|leaf| Buffer::host(leaf.bytes() * values.len()))
        .collect::<Result<Vec<_>>>()?;
    if !values.is_empty() {
        let pointers: Vec<*mut u8> = columns.iter().map(Buffer::pointer).collect();
        // SAFETY: one fresh column per leaf, aligned to 64, of `values.len()` elements.
        unsafe { split(values, &pointers) };
    }
    Ok(columns)
}

/// The values `first..first + len` of columns in host memory.
///
/// # Safety
/// One column per leaf, each initialised up to there.
pub(crate) unsafe fn values_of<T: Element>(columns: &[Buffer], first: usize, len: usize) -> Vec<T> {
    if len == 0 {
        return Vec::new();
    }
    let pointers: Vec<*const u8> = columns
        .iter()
        .zip(crate::element::leaves::<T>())
        // SAFETY: within the column.
        .map(|(column, leaf)| unsafe {
            column
                .pointer::<u8>()
                .add(first * leaf.bytes())
                .cast_const()
        })
        .collect();
    // SAFETY: by contract.
    unsafe { join(&pointers, len) }
}

/// Copies `bytes` bytes from the memory of a GPU to fresh host memory, and waits: see [`cuda::Gpu::copy_to_host`].
pub(crate) fn download(
    gpu: &Arc<cuda::Gpu>,
    from: &Buffer,
    offset: usize,
    bytes: usize,
    end: Option<&Arc<cuda::End>>,
) -> Result<Buffer> {
    let to = Buffer::host(bytes)?;
    if bytes > 0 {
        // SAFETY: `to` is fresh and holds as many bytes; the caller stays within `from`.
        unsafe { gpu.copy_to_host(to.pointer(), from.address() + offset as u64, bytes, end)? };
    }
    Ok(to)
}

/// A column of so many bytes of host memory, in the memory of a device.
pub(crate) fn on_device(device: &Device, column: Buffer, bytes: usize) -> Result<Buffer> {
    match device.target() {
        Target::Cpu => Ok(column),
        Target::Cuda(gpu) => upload(gpu, &column, bytes),
    }
}

/// A column of so many bytes in the memory of a device, of an array with this status, in host memory; waits if it has to be
/// copied.
pub(crate) fn on_host(
    device: &Device,
    column: &Buffer,
    bytes: usize,
    status: &Status,
) -> Result<Buffer> {
    match device.target() {
        Target::Cpu => Ok(column.clone()),
        Target::Cuda(gpu) => download(gpu, column, 0, bytes, status.end()),
    }
}

/// Copies `bytes` bytes of host memory to fresh memory of a GPU.
pub(crate) fn upload(gpu: &Arc<cuda::Gpu>, from: &Buffer, bytes: usize) -> Result<Buffer> {
    if bytes == 0 {
        return Ok(Buffer(None));
    }
    // SAFETY: the caller stays within `from`.
    let block = unsafe { cuda::Block::upload(gpu, words(bytes), from.pointer(), bytes)? };
    Ok(Buffer(Some(Arc::new(Block::Cuda(block)))))
}
