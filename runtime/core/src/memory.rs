//! Host memory for arrays on the CPU: a pool of aligned blocks.
//!
//! Fresh memory costs a page fault every 4 KiB, which for a light kernel is more than its work: blocks are kept when
//! they become free and given out again, and large ones ask the system for huge pages.

use crate::error::{Error, Result};
use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

/// Alignment of small blocks: a cache line, and the widest vector register.
const LINE: usize = 64;
/// Blocks from here on are aligned to huge pages.
const HUGE: usize = 2 << 20;
/// The pool keeps at most this many bytes that nobody uses.
const KEPT: usize = 1 << 30;

/// A block of host memory, given back to the pool when dropped.
#[derive(Debug)]
pub(crate) struct Block {
    pointer: NonNull<u8>,
    /// The size class.
    capacity: usize,
}

// SAFETY: a block owns its memory; who may access it when is the affair of its users.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

#[derive(Default)]
struct Pool {
    /// Free blocks by size class.
    free: BTreeMap<usize, Vec<NonNull<u8>>>,
    /// Bytes in `free`.
    kept: usize,
}

// SAFETY: the pointers are owned by the pool.
unsafe impl Send for Pool {}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    free: BTreeMap::new(),
    kept: 0,
});

impl Block {
    /// At least `bytes` bytes, uninitialised, aligned to 64.
    pub(crate) fn new(bytes: usize) -> Result<Block> {
        let exhausted = || Error::OutOfMemory {
            bytes,
            device: crate::Device::cpu().name(),
        };
        let capacity = size_class(bytes).ok_or_else(exhausted)?;
        if let Some(pointer) = take(capacity) {
            return Ok(Block { pointer, capacity });
        }
        let layout = layout(capacity).ok_or_else(exhausted)?;
        // SAFETY: a size class is not zero.
        let fresh = || NonNull::new(unsafe { std::alloc::alloc(layout) });
        let pointer = fresh().or_else(|| {
            trim(0);
            fresh()
        });
        let pointer = pointer.ok_or_else(exhausted)?;
        if capacity >= HUGE {
            advise_huge_pages(pointer, capacity);
        }
        Ok(Block { pointer, capacity })
    }

    /// As many as were asked for, or some more.
    pub(crate) fn bytes(&self) -> usize {
        self.capacity
    }

    pub(crate) fn pointer(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        {
            let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
            pool.kept += self.capacity;
            pool.free
                .entry(self.capacity)
                .or_default()
                .push(self.pointer);
        }
        trim(KEPT);
    }
}

/// A free block of this size class.
fn take(capacity: usize) -> Option<NonNull<u8>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let pointer = pool.free.get_mut(&capacity)?.pop()?;
    pool.kept -= capacity;
    Some(pointer)
}

/// Gives memory back to the system, largest blocks first, until the pool keeps no more than `keep` bytes.
fn trim(keep: usize) {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    while pool.kept > keep {
        let Some(mut class) = pool.free.last_entry() else {
            break;
        };
        let capacity = *class.key();
        match class.get_mut().pop() {
            Some(pointer) => {
                pool.kept -= capacity;
                let layout = layout(capacity).expect("it was allocated with this layout");
                // SAFETY: allocated with this layout, and nobody else has it.
                unsafe { std::alloc::dealloc(pointer.as_ptr(), layout) };
            }
            None => {
                class.remove();
            }
        }
    }
}

/// Sizes are rounded up to eighths of powers of two, so that similar sizes share blocks. None if too large.
fn size_class(bytes: usize) -> Option<usize> {
    let bytes = bytes.max(4 * LINE);
    let step = (bytes.checked_next_power_of_two()? / 16).max(LINE);
    let class = bytes.checked_next_multiple_of(step)?;
    (class <= isize::MAX as usize - HUGE).then_some(class)
}

fn layout(capacity: usize) -> Option<Layout> {
    let align = if capacity >= HUGE { HUGE } else { LINE };
    Layout::from_size_align(capacity, align).ok()
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(pointer: NonNull<u8>, bytes: usize) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;
    // SAFETY: advice on memory of our own; a refusal changes nothing.
    unsafe { madvise(pointer.as_ptr().cast(), bytes, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// Total and available memory of the machine in bytes, where the system tells.
pub(crate) fn of_machine() -> Option<(usize, usize)> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    };
    Some((field("MemTotal:")?, field("MemAvailable:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_hold_their_sizes_and_waste_little() {
        for bytes in [
            0,
            1,
            255,
            256,
            257,
            4097,
            1 << 20,
            (1 << 20) + 1,
            100_000_000,
        ] {
            let class = size_class(bytes).unwrap();
            assert!(
                class >= bytes && class.is_multiple_of(LINE),
                "{bytes} -> {class}"
            );
            assert!(class <= bytes.max(256) * 9 / 8 + LINE, "{bytes} -> {class}");
        }
        assert_eq!(size_class(usize::MAX), None);
    }

    #[test]
    fn a_freed_block_is_given_out_again() {
        // A size that no other test uses, so that tests may run in parallel.
        let bytes = 123_456_789;
        let first = Block::new(bytes).unwrap();
        let pointer = first.pointer() as usize;
        assert_eq!(pointer % LINE, 0);
        drop(first);
        assert_eq!(Block::new(bytes).unwrap().pointer() as usize, pointer);
    }
}
