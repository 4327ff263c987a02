//! Failure records: where a call's kernels leave their first failure.

use super::driver::Stream;
use super::{End, Gpu, failed};
use crate::error::Result;
use crate::failure::Found;
use std::sync::{Arc, Mutex, PoisonError};

/// `struct accelerate_failure` of the generated code, zeroed for none.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Raw {
    lock: u32,
    site_plus_one: u32,
    values: [i64; 2],
    epoch: u32,
}

/// Records that nobody uses, and whether they are known to be zero. They are made many at a time and never freed.
#[derive(Default)]
pub(super) struct Slots(Mutex<Vec<(u64, bool)>>);

const SLAB: usize = 256;

/// A failure record in device memory.
#[derive(Debug)]
pub(crate) struct Record {
    gpu: Arc<Gpu>,
    address: u64,
    /// Read when nothing could write to it any more, and found zero.
    clean: bool,
    /// After which nothing writes to it any more.
    end: Option<Arc<End>>,
}

impl Record {
    /// A record that says: no failure.
    pub(crate) fn new(gpu: &Arc<Gpu>) -> Result<Record> {
        let lock = || gpu.records.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = lock().pop();
        let (address, clean) = match free {
            Some(slot) => slot,
            None => {
                let bytes = SLAB * size_of::<Raw>();
                let slab = gpu.allocate(bytes, Stream::Main)?;
                let rest = (1..SLAB).map(|k| (slab + (k * size_of::<Raw>()) as u64, false));
                lock().extend(rest);
                (slab, false)
            }
        };
        // From here on the slot is given back whatever happens.
        let record = Record {
            gpu: gpu.clone(),
            address,
            clean: false,
            end: None,
        };
        if !clean {
            // SAFETY: a slot of this size; whoever used it before is earlier on the stream.
            unsafe { gpu.driver.fill(address, 0, size_of::<Raw>()) }
                .map_err(|error| failed("cuMemsetD8Async", error))?;
        }
        Ok(record)
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// The call that uses it has queued its last kernel.
    pub(crate) fn set_end(&mut self, end: Option<Arc<End>>) {
        self.end = end;
    }

    /// Waits for the kernels that are queued so far, of no more than its call if it has ended, and gives the failure, if there was
    /// one, and its epoch.
    pub(crate) fn read(&self) -> Result<Option<(Found, u32)>> {
        let mut raw = Raw::default();
        // SAFETY: both sides are one record.
        unsafe {
            let (to, end) = ((&raw mut raw).cast(), self.end.as_ref());
            (self.gpu).copy_to_host(to, self.address, size_of::<Raw>(), end)?;
        }
        Ok(raw.site_plus_one.checked_sub(1).map(|site| {
            let found = Found {
                site,
                values: raw.values,
            };
            (found, raw.epoch)
        }))
    }

    /// Gives the record back; `clean` if it was read last when nothing could write to it any more, and found zero.
    pub(crate) fn finish(mut self, clean: bool) {
        self.clean = clean;
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let mut free = (self.gpu.records.0.lock()).unwrap_or_else(PoisonError::into_inner);
        free.push((self.address, self.clean));
    }
}
