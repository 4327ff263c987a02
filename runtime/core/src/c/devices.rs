//! Devices for C.

use super::{Failure, call, clear, null, store};
use std::ffi::{CStr, c_char, c_int};

/// `accelerate_device` of the header.
#[derive(Debug)]
pub struct Device(crate::Device);

/// The device of a handle.
///
/// # Safety
/// The pointer is null or of `accelerate_open`, and is not freed before the call ends.
///
/// # Errors
/// If it is null.
pub unsafe fn device<'a>(handle: *const Device) -> Result<&'a crate::Device, Failure> {
    // SAFETY: by contract.
    let handle = unsafe { handle.as_ref() };
    handle
        .map(|Device(device)| device)
        .ok_or_else(|| null("device"))
}

/// Opens the device of a name: `cpu`, `cuda`, `cuda:1`; the best there is for a null pointer.
///
/// # Safety
/// `name` is null or a text that ends in a zero; `device` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_open(name: *const c_char, device: *mut *mut Device) -> c_int {
    call(|| {
        // SAFETY: by contract.
        unsafe { clear(device, "device") }?;
        let found = match name.is_null() {
            true => crate::Device::best()?,
            false => {
                // SAFETY: by contract.
                let name = unsafe { CStr::from_ptr(name) };
                crate::Device::named(&name.to_string_lossy(), "")?
            }
        };
        // SAFETY: by contract; it has been cleared.
        unsafe { store(device, Box::into_raw(Box::new(Device(found)))) };
        Ok(())
    })
}

/// Waits until a device has done everything that was queued.
///
/// # Safety
/// As of [`device`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_synchronize(device: *const Device) -> c_int {
    call(|| {
        // SAFETY: by contract.
        let device = unsafe { self::device(device) }?;
        Ok(device.synchronize()?)
    })
}

/// Gives a handle back. Its arrays live on.
///
/// # Safety
/// The pointer is null or of `accelerate_open`, and is not used after this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_close(device: *mut Device) {
    if !device.is_null() {
        call(|| {
            // SAFETY: by contract.
            drop(unsafe { Box::from_raw(device) });
            Ok(())
        });
    }
}
