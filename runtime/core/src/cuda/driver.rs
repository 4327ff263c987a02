//! The CUDA driver: every unsafe call into it stands here.
//!
//! cudarc resolves symbols at their first use and panics where the library is missing, so `present` is asked before
//! anything else; only symbols that every driver since 11.4 has are used. Of cudarc's layers only the lower two: its safe
//! one keeps errors for later calls, and loses a context where one is half open.

use super::choice::Attributes;
use cudarc::driver::{DriverError, result, sys};
use std::ffi::{CStr, CString, c_void};

/// Whether a driver is installed: what must be asked before the first call into cudarc.
pub(super) fn present() -> bool {
    let names = library_names();
    // SAFETY: runs the driver's initialisers only, as cudarc will.
    (names.iter()).any(|name| unsafe { libloading::Library::new(*name) }.is_ok())
}

/// The names under which the driver is looked for.
pub(super) fn library_names() -> &'static [&'static str] {
    if cfg!(windows) {
        &["nvcuda.dll"]
    } else {
        &["libcuda.so", "libcuda.so.1"]
    }
}

/// Whether the run-time compiler is installed, under a name that cudarc looks for, too.
pub(super) fn nvrtc_present() -> bool {
    let names = nvrtc_names(sys::CUDA_VERSION);
    // SAFETY: runs the library's initialisers only, as cudarc will.
    (names.iter()).any(|name| unsafe { libloading::Library::new(name) }.is_ok())
}

/// Of the names under which cudarc, built for a version of CUDA, looks for the run-time compiler, those that it has.
fn nvrtc_names(version: u32) -> Vec<String> {
    let major = version / 1000;
    if cfg!(windows) {
        return vec![format!("nvrtc64_{major}0_0.dll")];
    }
    let mut names = vec!["libnvrtc.so".to_owned()];
    names.extend([major, 12, 11].map(|major| format!("libnvrtc.so.{major}")));
    names
}

/// The number of devices.
pub(super) fn device_count() -> Result<usize, DriverError> {
    result::init()?;
    result::device::get_count().map(|count| usize::try_from(count).unwrap_or(0))
}

/// The version of CUDA that the driver supports: 1000 * major + 10 * minor.
pub(super) fn version() -> Result<i32, DriverError> {
    let mut version = 0;
    // SAFETY: writes one integer.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result()?;
    Ok(version)
}

/// A loaded module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Module(sys::CUmodule);

/// A kernel of a loaded module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function(sys::CUfunction);

// SAFETY: handles that may be used from every thread whose current context is theirs, which `Driver::bind` sees to.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}
// SAFETY: as above.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A point in the order of a stream, where it has been recorded last.
#[derive(Debug)]
pub(super) struct Event(sys::CUevent);

// SAFETY: as above.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

/// The streams of a device: what is queued on one happens in order, whatever happens on the others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// Of kernels, and of all that is ordered with them.
    Main,
    /// Of copies to memory that is new.
    Upload,
    /// Of copies from memory that is not written any more once an event has been reached.
    Download,
}

/// A context with its streams.
#[derive(Debug)]
pub(super) struct Driver {
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// By [`Stream`]; null only while they are being opened.
    streams: [sys::CUstream; 3],
    /// Memory comes from a pool, in the order of the stream.
    asynchronous: bool,
    /// The device reads pageable memory of the host itself, whenever it comes to that.
    reads_host_pages: bool,
}

/// While this lives, the context of a driver is current on this thread. The caller's own one, if it is another, is current
/// again afterwards; where there was none, ours stays: asking costs less than changing.
struct Bound(Option<sys::CUcontext>);

impl Drop for Bound {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            // SAFETY: it was current when this thread called. There is nobody to tell of a failure.
            let _ = unsafe { result::ctx::set_current(before) };
        }
    }
}

// SAFETY: the driver's functions may be called from every thread; `bind` makes the context current on it before.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

impl Driver {
    /// The primary context of a device and streams of our own.
    pub(super) fn open(ordinal: usize) -> Result<Driver, DriverError> {
        result::init()?;
        let ordinal = i32::try_from(ordinal).unwrap_or(i32::MAX);
        let device = result::device::get(ordinal)?;
        // SAFETY: the device is valid.
        let context = unsafe { result::primary_ctx::retain(device) }?;
        // From here on the context is given back whatever happens.
        let mut driver = Driver {
            device,
            context,
            streams: [std::ptr::null_mut(); 3],
            asynchronous: false,
            reads_host_pages: false,
        };
        let bound = driver.bind()?;
        use sys::CUdevice_attribute as Attribute;
        let pools = Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
        driver.asynchronous = driver.attribute(pools)? > 0 && wants_pools();
        let pages = Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES;
        driver.reads_host_pages = driver.attribute(pages)? > 0;
        for stream in &mut driver.streams {
            *stream = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        }
        if driver.asynchronous {
            // Keep freed memory across waits; the default is to give all of it back at each one.
            let mut keep = u64::MAX;
            // SAFETY: the device is valid, and the attribute is one `u64`.
            unsafe {
                let pool = result::device::get_default_mem_pool(device)?;
                result::mem_pool::set_attribute(
                    pool,
                    sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                    (&raw mut keep).cast(),
                )?;
            }
        }
        drop(bound);
        Ok(driver)
    }

    /// Makes the context current on this thread, for a while.
    fn bind(&self) -> Result<Bound, DriverError> {
        let current = result::ctx::get_current()?;
        if current == Some(self.context) {
            return Ok(Bound(None));
        }
        // SAFETY: the context is held until `self` is dropped.
        unsafe { result::ctx::set_current(self.context) }?;
        Ok(Bound(current))
    }

    /// Does something while the context is current on this thread.
    pub(super) fn with_context<T>(&self, work: impl FnOnce() -> T) -> Result<T, DriverError> {
        let _bound = self.bind()?;
        Ok(work())
    }

    fn stream(&self, stream: Stream) -> sys::CUstream {
        self.streams[stream as usize]
    }

    /// The main stream and the context.
    pub(super) fn handles(&self) -> [*mut c_void; 2] {
        [self.stream(Stream::Main).cast(), self.context.cast()]
    }

    pub(super) fn name(&self) -> Result<String, DriverError> {
        result::device::get_name(self.device)
    }

    pub(super) fn attribute(&self, which: sys::CUdevice_attribute) -> Result<i32, DriverError> {
        // SAFETY: the device is valid.
        unsafe { result::device::get_attribute(self.device, which) }
    }

    /// What the choice of variants depends on.
    pub(super) fn attributes(&self) -> Result<Attributes, DriverError> {
        use sys::CUdevice_attribute as Attribute;
        let of = |which| self.attribute(which);
        Ok(Attributes {
            multiprocessors: of(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            clock: of(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
            memory_clock: of(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?,
            bus_width: of(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
            cache: of(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?,
            threads: of(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        })
    }

    /// Free and total bytes.
    pub(super) fn memory(&self) -> Result<(usize, usize), DriverError> {
        let _bound = self.bind()?;
        result::mem_get_info()
    }

    /// Waits until everything queued on the main stream has been done, and what it waits for.
    pub(super) fn synchronize(&self) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        // SAFETY: the stream is alive.
        unsafe { result::stream::synchronize(self.stream(Stream::Main)) }
    }

    /// An event that was recorded nowhere.
    pub(super) fn event(&self) -> Result<Event, DriverError> {
        let _bound = self.bind()?;
        result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).map(Event)
    }

    /// Records an event behind everything queued on a stream. Earlier waits are for where it was then.
    pub(super) fn record(&self, event: &Event, stream: Stream) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        // SAFETY: both are alive: events are never destroyed.
        unsafe { result::event::record(event.0, self.stream(stream)) }
    }

    /// What is queued on a stream from now on waits for an event.
    pub(super) fn wait(&self, stream: Stream, event: &Event) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: as above.
        unsafe { result::stream::wait_event(self.stream(stream), event.0, flags) }
    }

    /// Memory, uninitialised, for use on a stream from now on. `bytes` is not 0. What was freed on another one is given out
    /// when that has come so far, which a pool sees to by itself.
    pub(super) fn allocate(&self, bytes: usize, stream: Stream) -> Result<u64, DriverError> {
        let _bound = self.bind()?;
        // SAFETY: the stream is alive.
        unsafe {
            if self.asynchronous {
                result::malloc_async(self.stream(stream), bytes)
            } else {
                result::malloc_sync(bytes)
            }
        }
    }

    /// Frees memory in the order of a stream. A failure cannot be reported here; if the context is lost, and the memory with it,
    /// the next call says so.
    ///
    /// # Safety
    /// The address comes from `allocate` and nothing uses it any more but what is queued already on this stream.
    pub(super) unsafe fn free(&self, address: u64, stream: Stream) {
        let attempt = || {
            let _bound = self.bind()?;
            // SAFETY: by contract.
            unsafe {
                if self.asynchronous {
                    return result::free_async(address, self.stream(stream));
                }
                result::stream::synchronize(self.stream(stream))?;
                result::free_sync(address)
            }
        };
        // One refusal must not lose the memory.
        let _ = attempt().or_else(|_| attempt());
    }

    /// Waits, and gives memory that is free back to the system.
    pub(super) fn trim(&self) -> Result<(), DriverError> {
        self.synchronize()?;
        if self.asynchronous {
            // SAFETY: the device is valid.
            unsafe {
                let pool = result::device::get_default_mem_pool(self.device)?;
                result::mem_pool::trim_to(pool, 0)?;
            }
        }
        Ok(())
    }

    /// Copies from pageable host memory, which may be reused as soon as this returns.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes.
    pub(super) unsafe fn copy_to_device(
        &self,
        to: u64,
        from: *const u8,
        bytes: usize,
        stream: Stream,
    ) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        let stream = self.stream(stream);
        // SAFETY: by contract.
        unsafe {
            let from = std::slice::from_raw_parts(from, bytes);
            result::memcpy_htod_async(to, from, stream)?;
            match self.reads_host_pages {
                true => result::stream::synchronize(stream),
                // The driver has staged what it has not copied yet.
                false => Ok(()),
            }
        }
    }

    /// Copies to host memory, and waits.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes.
    pub(super) unsafe fn copy_to_host(
        &self,
        to: *mut u8,
        from: u64,
        bytes: usize,
        stream: Stream,
    ) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        let stream = self.stream(stream);
        // SAFETY: by contract; waiting before the memory is looked at.
        unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, stream).result()?;
            result::stream::synchronize(stream)
        }
    }

    /// Sets `bytes` bytes to one value.
    ///
    /// # Safety
    /// The address is valid for `bytes` bytes.
    pub(super) unsafe fn fill(
        &self,
        address: u64,
        byte: u8,
        bytes: usize,
    ) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        // SAFETY: by contract.
        unsafe { result::memset_d8_async(address, byte, bytes, self.stream(Stream::Main)) }
    }

    /// Copies within the device.
    ///
    /// # Safety
    /// Both sides are valid for `bytes` bytes and do not overlap.
    pub(super) unsafe fn copy(&self, to: u64, from: u64, bytes: usize) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        // SAFETY: by contract.
        unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream(Stream::Main)) }
    }

    /// Loads PTX, or returns the driver's error with the log of its compiler.
    pub(super) fn load(&self, ptx: &CStr) -> Result<Module, (DriverError, String)> {
        // SAFETY: it ends with NUL.
        unsafe { self.load_image(ptx.as_ptr().cast()) }
    }

    /// Loads a cubin, an ELF file that is whole.
    pub(super) fn load_cubin(&self, cubin: &[u8]) -> Result<Module, (DriverError, String)> {
        // Its fields are aligned in the file, which may lie anywhere.
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_ne_bytes(word)
        };
        let aligned: Vec<u64> = cubin.chunks(8).map(word).collect();
        // SAFETY: its headers and sections lie within it, which `image::read` has seen to.
        unsafe { self.load_image(aligned.as_ptr().cast()) }
    }

    /// Loads an image.
    ///
    /// # Safety
    /// It is PTX that ends with NUL, or an ELF file with all its sections.
    unsafe fn load_image(&self, image: *const c_void) -> Result<Module, (DriverError, String)> {
        let _bound = self.bind().map_err(|error| (error, String::new()))?;
        let mut log = vec![0u8; 8192];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            std::ptr::without_provenance_mut(log.len()),
        ];
        let mut module = std::ptr::null_mut();
        // SAFETY: a context is current; the image by contract; `log` outlives the call and its length is given.
        let status = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image,
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let text = || {
            let log = CStr::from_bytes_until_nul(&log).unwrap_or_default();
            log.to_string_lossy().into_owned()
        };
        status
            .result()
            .map(|()| Module(module))
            .map_err(|error| (error, text()))
    }

    /// A kernel of a module.
    pub(super) fn function(&self, module: Module, name: &str) -> Result<Function, DriverError> {
        let _bound = self.bind()?;
        let name = CString::new(name).expect("a kernel's name is an identifier");
        // SAFETY: modules are never unloaded.
        unsafe { result::module::get_function(module.0, name) }.map(Function)
    }

    /// Allows a kernel this much dynamic shared memory.
    pub(super) fn allow_shared(&self, function: Function, bytes: u32) -> Result<(), DriverError> {
        let _bound = self.bind()?;
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is of a module that is never unloaded.
        unsafe { result::function::set_function_attribute(function.0, attribute, bytes as i32) }
    }

    /// How many blocks of a kernel a multiprocessor holds at once, and registers allow.
    pub(super) fn occupancy(
        &self,
        function: Function,
        threads: u32,
        shared: u32,
    ) -> Result<u32, DriverError> {
        let _bound = self.bind()?;
        let mut blocks = 0;
        // SAFETY: the function is of a module that is never unloaded; writes one integer.
        unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                function.0,
                threads as i32,
                shared as usize,
            )
        }
        .result()?;
        Ok(blocks.max(0) as u32)
    }

    /// Queues a kernel. Each argument is the low bytes of a `u64`, as many as the kernel's parameter has.
    ///
    /// # Safety
    /// The arguments are those that the kernel declares, and the memory they name stays valid until the kernel ends.
    pub(super) unsafe fn launch(
        &self,
        function: Function,
        grid: (u32, u32),
        threads: u32,
        shared: u32,
        arguments: &[u64],
    ) -> Result<(), DriverError> {
        const { assert!(cfg!(target_endian = "little")) };
        let _bound = self.bind()?;
        let mut pointers: Vec<*mut c_void> = arguments
            .iter()
            .map(|argument| (&raw const *argument).cast_mut().cast())
            .collect();
        // SAFETY: by contract; the driver copies the arguments before it returns.
        unsafe {
            result::launch_kernel(
                function.0,
                (grid.0, grid.1, 1),
                (threads, 1, 1),
                shared,
                self.stream(Stream::Main),
                &mut pointers,
            )
        }
    }
}

/// Only what was opened halfway, or lost a race, is ever dropped: devices stay open until the process ends.
impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: the streams are ours, and nothing was queued on them that matters; the context was retained once. There is
        // nobody to tell of a failure.
        unsafe {
            let opened = self.streams.iter().filter(|stream| !stream.is_null());
            for stream in opened {
                if let Ok(_bound) = self.bind() {
                    let _ = result::stream::destroy(*stream);
                }
            }
            let _ = result::primary_ctx::release(self.device);
        }
    }
}

/// Whether memory comes from a pool where there is one. Checkers of memory see where an array ends only if it has an
/// allocation of its own.
fn wants_pools() -> bool {
    !std::env::var("ACCELERATE_POOLS").is_ok_and(|value| value == "off")
}

#[cfg(test)]
mod tests {
    use super::nvrtc_names;

    #[test]
    #[cfg(not(windows))]
    fn nvrtc_has_the_names_that_cudarc_looks_for() {
        let of = |version| nvrtc_names(version).join(" ");
        let known = "libnvrtc.so.12 libnvrtc.so.11";
        assert_eq!(of(13000), format!("libnvrtc.so libnvrtc.so.13 {known}"));
        assert_eq!(of(12080), format!("libnvrtc.so libnvrtc.so.12 {known}"));
    }
}
