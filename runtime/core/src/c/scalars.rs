//! Scalars of a call from C: pointers to results, and values that not every number is.

use super::{Failure, null};

/// A pointer to where a result goes.
///
/// # Errors
/// If it is null.
pub fn present<T>(to: *mut T, name: &str) -> Result<(), Failure> {
    match to.is_null() {
        true => Err(null(name)),
        false => Ok(()),
    }
}

/// As [`present`], of a pointer to a handle, which is null until there is one.
///
/// # Safety
/// The pointer is null or may be written to.
///
/// # Errors
/// If it is null.
pub unsafe fn clear<T>(to: *mut *mut T, name: &str) -> Result<(), Failure> {
    present(to, name)?;
    // SAFETY: by contract.
    unsafe { to.write(std::ptr::null_mut()) };
    Ok(())
}

/// Stores a result.
///
/// # Safety
/// The pointer is [`present`] and may be written to.
pub unsafe fn store<T>(to: *mut T, value: T) {
    // SAFETY: by contract.
    unsafe { to.write(value) };
}

/// A number as a `char`.
///
/// # Errors
/// If there is no such character.
pub fn char(number: u32, name: &str) -> Result<char, Failure> {
    let wrong = || Failure::Argument(format!("`{name}` is {number}, which is no character"));
    char::from_u32(number).ok_or_else(wrong)
}
