//! CUDA devices: contexts, memory, and what the driver says, as errors of ours.

mod choice;
mod driver;
mod embedded;
mod event;
mod forced;
mod launch;
mod module;
mod ptx;
mod record;
mod split;
mod tables;
mod trace;

pub(crate) use choice::Sizes;
pub(crate) use event::End;
pub(crate) use launch::Launch;
pub(crate) use module::Code;
pub(crate) use record::Record;
pub use split::pieces;
pub use trace::{Choice, choice};

use crate::error::{Error, Result};
use cudarc::driver::{DriverError, sys};
use driver::Stream;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A GPU: one per ordinal and process.
pub(crate) struct Gpu {
    ordinal: usize,
    name: String,
    machine: choice::Machine,
    driver: driver::Driver,
    known: module::Known,
    records: record::Slots,
    scratch: launch::Scratch,
    events: event::Events,
}

/// Memory of a GPU, given back in the order of the main stream when dropped.
#[derive(Debug)]
pub(crate) struct Block {
    gpu: Arc<Gpu>,
    address: u64,
    bytes: usize,
}

/// The GPUs that have been opened. They stay open until the process ends: arrays in statics may outlive everything.
static OPEN: Mutex<Vec<Arc<Gpu>>> = Mutex::new(Vec::new());

/// Whether there is a driver, usable or not.
pub(crate) fn present() -> bool {
    driver::present()
}

/// The number of usable devices, or why there is none.
pub(crate) fn count() -> Result<usize> {
    if !driver::present() {
        return Err(Error::NoDevice {
            message: format!(
                "no CUDA driver: looked for {} in the system's library path",
                driver::library_names().join(" and ")
            ),
        });
    }
    match driver::device_count() {
        Ok(0) => Err(Error::NoDevice {
            message: "the CUDA driver knows no device".into(),
        }),
        Ok(count) => Ok(count),
        Err(error) => Err(Error::NoDevice {
            message: format!("the CUDA driver cannot be used: {}", text(error)),
        }),
    }
}

impl Gpu {
    /// The device with this number.
    pub(crate) fn open(ordinal: usize) -> Result<Arc<Gpu>> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gpu) = open.iter().find(|gpu| gpu.ordinal == ordinal) {
            return Ok(gpu.clone());
        }
        let count = count()?;
        if ordinal >= count {
            return Err(Error::NoDevice {
                message: format!("no CUDA device {ordinal}: there are {count}"),
            });
        }
        let failed = |error| Error::NoDevice {
            message: format!("CUDA device {ordinal} cannot be opened: {}", text(error)),
        };
        let driver = driver::Driver::open(ordinal).map_err(failed)?;
        let gpu = Arc::new(Gpu {
            ordinal,
            name: driver.name().map_err(failed)?,
            machine: choice::Machine::of(driver.attributes().map_err(failed)?),
            driver,
            known: module::Known::default(),
            records: record::Slots::default(),
            scratch: launch::Scratch::default(),
            events: event::Events::default(),
        });
        open.push(gpu.clone());
        Ok(gpu)
    }

    pub(crate) fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The main stream.
    pub(crate) fn stream(&self) -> *mut c_void {
        self.driver.handles()[0]
    }

    /// The primary context.
    pub(crate) fn context(&self) -> *mut c_void {
        self.driver.handles()[1]
    }

    /// Does something while the context is current on this thread.
    pub(crate) fn with_context<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let outcome = self.driver.with_context(work);
        outcome.unwrap_or_else(|error| Err(failed("cuCtxSetCurrent", error)))
    }

    /// Total and free bytes.
    pub(crate) fn memory(&self) -> Result<(usize, usize)> {
        let (free, total) = self
            .driver
            .memory()
            .map_err(|error| failed("cuMemGetInfo", error))?;
        Ok((total, free))
    }

    /// Waits until everything queued has been done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.driver
            .synchronize()
            .map_err(|error| failed("cuStreamSynchronize", error))
    }

    /// Memory, uninitialised, for use on a stream; `bytes` is not 0. No launch is being queued by this thread.
    fn allocate(&self, bytes: usize, stream: Stream) -> Result<u64> {
        match self.allocate_beside_scratch(bytes, stream) {
            Err(Error::OutOfMemory { .. }) if self.release_scratch() => {
                self.allocate_beside_scratch(bytes, stream)
            }
            outcome => outcome,
        }
    }

    /// The same, with the scratch memory as it is.
    fn allocate_beside_scratch(&self, bytes: usize, stream: Stream) -> Result<u64> {
        let exhausted =
            |error: &DriverError| error.0 == sys::cudaError_enum::CUDA_ERROR_OUT_OF_MEMORY;
        let mut outcome = self.driver.allocate(bytes, stream);
        if outcome.as_ref().is_err_and(exhausted) {
            // Memory freed in stream order counts as used until the stream has come that far.
            self.driver
                .trim()
                .map_err(|error| failed("cuMemPoolTrimTo", error))?;
            outcome = self.driver.allocate(bytes, stream);
        }
        outcome.map_err(|error| match exhausted(&error) {
            true => Error::OutOfMemory {
                bytes,
                device: self.name.clone(),
            },
            false => failed("cuMemAllocAsync", error),
        })
    }

    /// Queues a copy from pageable host memory, which may be reused as soon as this returns.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_to_device(
        &self,
        to: u64,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: by contract.
        unsafe { self.copy_to_device_on(Stream::Main, to, from, bytes) }
    }

    /// The same on any stream.
    ///
    /// # Safety
    /// As above.
    unsafe fn copy_to_device_on(
        &self,
        stream: Stream,
        to: u64,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: by contract.
        unsafe { self.driver.copy_to_device(to, from, bytes, stream) }
            .map_err(|error| failed("cuMemcpyHtoDAsync", error))
    }

    /// Queues setting all of these bytes to one value.
    ///
    /// # Safety
    /// The address is valid for `bytes` bytes.
    pub(crate) unsafe fn fill(&self, address: u64, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: by contract.
        unsafe { self.driver.fill(address, byte, bytes) }
            .map_err(|error| failed("cuMemsetD8Async", error))
    }

    /// Queues a copy within the device.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes and do not overlap.
    pub(crate) unsafe fn copy(&self, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: by contract.
        unsafe { self.driver.copy(to, from, bytes) }
            .map_err(|error| failed("cuMemcpyDtoDAsync", error))
    }

    /// Copies to host memory, and waits: for the end of the call that has written there, if that is known, else for everything
    /// queued.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_to_host(
        &self,
        to: *mut u8,
        from: u64,
        bytes: usize,
        end: Option<&Arc<End>>,
    ) -> Result<()> {
        let stream = End::stream(end)?;
        // SAFETY: by contract.
        unsafe { self.driver.copy_to_host(to, from, bytes, stream) }
            .map_err(|error| failed("cuMemcpyDtoHAsync", error))
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "cuda:{}", self.ordinal)
    }
}

impl Block {
    /// `bytes` bytes, uninitialised; not 0.
    pub(crate) fn new(gpu: &Arc<Gpu>, bytes: usize) -> Result<Block> {
        Ok(Block {
            gpu: gpu.clone(),
            address: gpu.allocate(bytes, Stream::Main)?,
            bytes,
        })
    }

    /// `bytes` bytes, the first of which are copied from pageable host memory, which may be reused as soon as this returns. The
    /// copy waits for nothing that is queued; what is queued afterwards waits for it.
    ///
    /// # Safety
    /// `from` is valid for `len` bytes, at most `bytes`, which is not 0.
    pub(crate) unsafe fn upload(
        gpu: &Arc<Gpu>,
        bytes: usize,
        from: *const u8,
        len: usize,
    ) -> Result<Block> {
        let address = gpu.allocate(bytes, Stream::Upload)?;
        // SAFETY: by contract.
        let copied = unsafe { gpu.copy_to_device_on(Stream::Upload, address, from, len) };
        match copied.and_then(|()| gpu.join(Stream::Main, Stream::Upload)) {
            Ok(()) => Ok(Block {
                gpu: gpu.clone(),
                address,
                bytes,
            }),
            Err(error) => {
                // SAFETY: allocated above, and not yet shared. The copy may be pending on the upload stream, so it is freed in that
                // stream's order.
                unsafe { gpu.driver.free(address, Stream::Upload) };
                Err(error)
            }
        }
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: this was the last owner; kernels that still use the memory are queued already.
        unsafe { self.gpu.driver.free(self.address, Stream::Main) };
    }
}

/// The driver's answer as an error.
fn failed(call: &str, error: DriverError) -> Error {
    Error::Cuda {
        message: format!("{call}: {}", text(error)),
    }
}

/// `CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered`.
fn text(error: DriverError) -> String {
    let name = error
        .error_name()
        .map(|name| name.to_string_lossy().into_owned());
    let meaning = error
        .error_string()
        .map(|text| text.to_string_lossy().into_owned());
    match (name, meaning) {
        (Ok(name), Ok(meaning)) => format!("{name}: {meaning}"),
        _ => format!("{:?}", error.0),
    }
}
