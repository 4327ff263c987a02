//! The emulated CUDA device as tests see it: loaded in the driver's place, with its control functions.
//!
//! Load it before the first call that may reach CUDA; from then on the process has one emulated device, `cuda:0`. Its
//! state belongs to the process, so tests take the [`lock`] while they use it.

pub mod direct;
pub mod profile;
pub mod watch;

use anyhow::{Context, Result, anyhow, bail};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The running totals of the device.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it; see accelerate_emulator.h")]
pub struct Counters {
    pub live_allocations: u64,
    pub live_bytes: u64,
    pub peak_bytes: u64,
    pub allocations: u64,
    pub launches: u64,
    pub blocks: u64,
    pub slices: u64,
    pub barriers: u64,
    pub warp_operations: u64,
    pub spins: u64,
    pub bytes_to_device: u64,
    pub bytes_to_host: u64,
    pub bytes_on_device: u64,
    pub live_modules: u64,
    pub live_streams: u64,
    pub live_events: u64,
    pub live_contexts: u64,
    pub live_pinned: u64,
    pub calls: u64,
    pub compiled: u64,
    pub cubins: u64,
}

/// The loaded library.
#[derive(Debug)]
pub struct Emulator {
    library: Library,
}

/// Where the build script put the library, or why there is none. `ACCELERATE_EMULATOR_LIBRARY` names another one, such as
/// one built with sanitizers.
pub fn library() -> Result<&'static Path> {
    static NAMED: OnceLock<Option<PathBuf>> = OnceLock::new();
    let named =
        NAMED.get_or_init(|| std::env::var_os("ACCELERATE_EMULATOR_LIBRARY").map(PathBuf::from));
    if let Some(named) = named {
        return Ok(named);
    }
    match env!("ACCELERATE_EMULATOR_LIBRARY") {
        "" => bail!(env!("ACCELERATE_EMULATOR_PROBLEM")),
        path => Ok(Path::new(path)),
    }
}

/// Builds what a process loads as cuBLAS if the folder is among those where it looks for libraries.
pub fn cublas(folder: &Path) -> Result<()> {
    let source = folder.join("cublas.cpp");
    std::fs::create_dir_all(folder)?;
    std::fs::write(&source, include_str!("../libraries/cublas.cpp"))?;
    let output = Command::new(std::env::var_os("CXX").unwrap_or("g++".into()))
        .args(["-std=c++20", "-O1", "-shared", "-fPIC", "-o"])
        .arg(folder.join("libcublas.so"))
        .arg(source)
        .output()?;
    match output.status.success() {
        true => Ok(()),
        false => bail!("{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// Where the device keeps the libraries that it compiles.
pub fn cache() -> Result<PathBuf> {
    let own = || {
        Ok(library()?
            .parent()
            .context("a library in a folder")?
            .join("kernels"))
    };
    std::env::var_os("ACCELERATE_EMULATOR_CACHE")
        .map_or_else(own, |folder| Ok(PathBuf::from(folder)))
}

/// Loads the device into this process (once) so that the driver's name finds it. A driver that was loaded before, or that
/// a real GPU would need, is left alone: call this first.
pub fn load() -> Result<&'static Emulator> {
    static LOADED: OnceLock<Result<Emulator, String>> = OnceLock::new();
    LOADED
        .get_or_init(|| open().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|text| anyhow!("{text}"))
}

fn open() -> Result<Emulator> {
    let path = library()?;
    // SAFETY: our own library; its constructor only reads the environment.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }
        .with_context(|| format!("cannot load {}", path.display()))?;
    Ok(Emulator { library })
}

/// Serialises the tests of a process that use the device.
pub fn lock() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Names a folder in which the device looks for CUDA C, beside those already named.
pub fn add_sources(folder: &Path) {
    let mut value = std::env::var_os("ACCELERATE_EMULATOR_SOURCES").unwrap_or_default();
    if !value.is_empty() {
        value.push(":");
    }
    value.push(folder);
    // SAFETY: called before threads that read the environment are started.
    unsafe { std::env::set_var("ACCELERATE_EMULATOR_SOURCES", value) };
}

impl Emulator {
    /// An exported function.
    fn symbol<T>(&self, name: &str) -> libloading::os::unix::Symbol<T> {
        // SAFETY: callers name a function with its type.
        let symbol = unsafe { self.library.get::<T>(name.as_bytes()) };
        symbol.unwrap_or_else(|error| panic!("the emulated device lacks {name}: {error}"))
    }

    /// A control function that takes one number.
    fn set<T>(&self, name: &str, value: T) {
        // SAFETY: each caller names a function of accelerate_emulator.h with this parameter.
        unsafe {
            let function = self.library.get::<unsafe extern "C" fn(T)>(name.as_bytes());
            function.expect("the library has all control functions")(value);
        }
    }

    fn call<R>(&self, name: &str) -> R {
        // SAFETY: each caller names a function of accelerate_emulator.h with this result and no parameter.
        unsafe {
            let function = self
                .library
                .get::<unsafe extern "C" fn() -> R>(name.as_bytes());
            function.expect("the library has all control functions")()
        }
    }

    /// Restarts the random choices of the scheduler.
    pub fn seed(&self, seed: u64) {
        self.set("accelerate_emulator_seed", seed);
    }

    /// How many blocks are interleaved.
    pub fn residency(&self, blocks: u32) {
        self.set::<c_uint>("accelerate_emulator_residency", blocks);
    }

    /// The bytes of device memory.
    pub fn memory(&self, bytes: u64) {
        self.set("accelerate_emulator_memory", bytes);
    }

    /// Whether the device has memory pools.
    pub fn pools(&self, supported: bool) {
        self.set::<c_int>("accelerate_emulator_pools", supported.into());
    }

    /// Whether work on streams is put off until something waits for it.
    pub fn delay(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_delay", on.into());
    }

    /// Whether allocations end at the end of a page, so that reads past them fault.
    pub fn end_of_page(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_placement", on.into());
    }

    /// What the driver says it is: 1000 * major + 10 * minor.
    pub fn driver_version(&self, version: i32) {
        self.set::<c_int>("accelerate_emulator_driver_version", version);
    }

    /// Whether the device reads pageable memory of the host itself, late if work is put off.
    pub fn host_pages(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_host_pages", on.into());
    }

    /// Whether loads of modules wait until this is off again.
    pub fn hold_loads(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_hold_loads", on.into());
    }

    /// How many loads wait.
    pub fn held_loads(&self) -> u32 {
        self.call::<c_uint>("accelerate_emulator_held_loads")
    }

    /// Makes a context current on this thread that is not the device's primary one.
    pub fn enter_foreign_context(&self) {
        self.set::<c_int>("accelerate_emulator_enter_foreign_context", 1);
    }

    /// Whether that context is current on this thread.
    pub fn in_foreign_context(&self) -> bool {
        self.call::<c_int>("accelerate_emulator_in_foreign_context") != 0
    }

    /// How many multiprocessors the device says it has.
    pub fn processors(&self, count: i32) {
        self.set::<c_int>("accelerate_emulator_processors", count);
    }

    /// The compute capability that the device says it has: 86 for 8.6.
    pub fn capability(&self, number: i32) {
        self.set::<c_int>("accelerate_emulator_capability", number);
    }

    /// Whether failures are not printed, for tests that provoke them.
    pub fn quiet(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_quiet", on.into());
    }

    /// Instruments kernels that are compiled from now on.
    pub fn instrument(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_instrument", on.into());
    }

    /// Whether ThreadSanitizer watches this process: see [`watch`].
    pub fn watched(&self) -> bool {
        self.call::<c_int>("accelerate_emulator_watched") != 0
    }

    /// Makes the n-th call (1 is the next) of a driver function, or of any, fail once, with a code that is usual for it.
    pub fn fail_after(&self, name: Option<&str>, n: u64) {
        self.fail_with(name, n, 0);
    }

    /// The same with a code of the driver's; 700 and 719 stay, as a lost context does.
    pub fn fail_with(&self, name: Option<&str>, n: u64, code: c_int) {
        let name = name.map(|name| CString::new(name).expect("a function's name"));
        type Function = unsafe extern "C" fn(*const c_char, u64, c_int);
        // SAFETY: the declared type; the name outlives the call.
        unsafe {
            let function = self
                .library
                .get::<Function>(b"accelerate_emulator_fail_after");
            let pointer = name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr());
            function.expect("the library has all control functions")(pointer, n, code);
        }
    }

    /// Makes launches of a kernel fault, as the next call that waits tells; none for no kernel.
    pub fn misbehave(&self, kernel: Option<&str>) {
        let kernel = kernel.map(|name| CString::new(name).expect("a function's name"));
        type Function = unsafe extern "C" fn(*const c_char, c_int);
        // SAFETY: the declared type; the name outlives the call.
        unsafe {
            let function = self
                .library
                .get::<Function>(b"accelerate_emulator_misbehave");
            let pointer = (kernel.as_ref()).map_or(std::ptr::null(), |name| name.as_ptr());
            function.expect("the library has all control functions")(pointer, 1);
        }
    }

    /// No planned failure any more.
    pub fn fail_never(&self) {
        self.call::<()>("accelerate_emulator_fail_never");
    }

    /// Whether the planned failure has happened.
    pub fn failed(&self) -> bool {
        self.call::<c_int>("accelerate_emulator_failed") != 0
    }

    /// The driver function that the last planned failure met.
    pub fn failed_name(&self) -> String {
        let text = self.call::<*const c_char>("accelerate_emulator_failed_name");
        // SAFETY: a text that stays valid until the next planned failure.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// The driver functions called since the last reset of counters, and how often.
    pub fn calls(&self) -> Vec<(String, u64)> {
        type Called = unsafe extern "C" fn(c_uint) -> *const c_char;
        type Calls = unsafe extern "C" fn(*const c_char) -> u64;
        // SAFETY: the declared types; the texts are copied before the next call.
        unsafe {
            let called = self.library.get::<Called>(b"accelerate_emulator_called");
            let called = called.expect("the library has all control functions");
            let calls = self.library.get::<Calls>(b"accelerate_emulator_calls");
            let calls = calls.expect("the library has all control functions");
            (0..)
                .map(|index| called(index))
                .take_while(|name| !name.is_null())
                .map(|name| {
                    (
                        CStr::from_ptr(name).to_string_lossy().into_owned(),
                        calls(name),
                    )
                })
                .collect()
        }
    }

    /// Notes what is queued on streams from now on, and forgets what was noted.
    pub fn trace(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_trace", on.into());
    }

    /// What was noted: see accelerate_emulator.h.
    pub fn traced(&self) -> String {
        let text = self.call::<*const c_char>("accelerate_emulator_traced");
        // SAFETY: a text that stays valid until the next call.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// The running totals.
    pub fn counters(&self) -> Counters {
        let mut counters = Counters::default();
        type Function = unsafe extern "C" fn(*mut Counters, u64);
        // SAFETY: the declared type; the structure is of the size told.
        unsafe {
            let function = self
                .library
                .get::<Function>(b"accelerate_emulator_counters");
            let function = function.expect("the library has all control functions");
            function(&mut counters, size_of::<Counters>() as u64);
        }
        counters
    }

    /// Sets the totals to zero; what is live stays counted.
    pub fn reset_counters(&self) {
        self.call::<()>("accelerate_emulator_reset_counters");
    }

    /// What the last failing kernel or memory check reported.
    pub fn report(&self) -> String {
        let text = self.call::<*const c_char>("accelerate_emulator_report");
        // SAFETY: a text that stays valid until the next call.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// Ends a sticky error, as only a new process could on a GPU.
    pub fn recover(&self) {
        self.call::<()>("accelerate_emulator_recover");
    }
}
