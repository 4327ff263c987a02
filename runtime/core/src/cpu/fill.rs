//! Filling memory with a byte, over threads.

use super::threads::{self, Places};

/// Bytes that a thread fills at a time; less is not worth others.
const CHUNK: usize = 1 << 20;

/// Sets all of `bytes` bytes to `byte`.
///
/// # Safety
/// `to` is valid for writes of `bytes` bytes, and no other thread accesses them.
pub(crate) unsafe fn fill(to: *mut u8, byte: u8, bytes: usize) {
    let places = Places(to);
    let part = |chunk: u64| {
        let from = chunk as usize * CHUNK;
        // SAFETY: by contract; no other chunk has these.
        unsafe { places.at(from).write_bytes(byte, CHUNK.min(bytes - from)) };
    };
    threads::each(bytes > CHUNK, bytes.div_ceil(CHUNK) as u64, &part);
}
