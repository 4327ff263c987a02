//! What driver and device there are, asked of the driver itself.

use anyhow::{Context, Result, bail};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int};

/// The driver and its first device.
pub(crate) struct Found {
    /// 1000 * major + 10 * minor, of the newest CUDA that it knows.
    pub(crate) version: i32,
    pub(crate) device: String,
}

/// Names of the driver's library.
const NAMES: [&str; 2] = ["libcuda.so.1", "libcuda.so"];

/// Asks.
pub(crate) fn ask() -> Result<Found> {
    // SAFETY: the driver's library, whose constructors every CUDA program runs.
    let mut opened = NAMES.into_iter().map(|name| unsafe { Library::new(name) });
    let library = opened
        .find_map(Result::ok)
        .context("no driver: libcuda.so.1 cannot be opened")?;
    // SAFETY: functions of the driver's API with their signatures; the buffer is as long as told, and stays.
    unsafe {
        let init = library.get::<unsafe extern "C" fn(u32) -> c_int>(b"cuInit")?;
        let version =
            library.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDriverGetVersion")?;
        let get =
            library.get::<unsafe extern "C" fn(*mut c_int, c_int) -> c_int>(b"cuDeviceGet")?;
        let name = library
            .get::<unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int>(b"cuDeviceGetName")?;
        succeed("cuInit", init(0))?;
        let (mut found, mut device, mut text) = (0, 0, [0 as c_char; 256]);
        succeed("cuDriverGetVersion", version(&mut found))?;
        succeed("cuDeviceGet", get(&mut device, 0))?;
        succeed("cuDeviceGetName", name(text.as_mut_ptr(), 255, device))?;
        Ok(Found {
            version: found,
            device: CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned(),
        })
    }
}

fn succeed(name: &str, code: c_int) -> Result<()> {
    match code {
        0 => Ok(()),
        code => bail!("{name} gives {code}"),
    }
}
