//! The interface for C: opaque handles of devices and arrays, a status for each call, and the text of the last error.
//!
//! Functions with a C symbol are those of the header that the build script writes; the others are what the wrapper of an
//! `#[export(c)]` function is made of. A handle knows its element type and rank, so a wrong one is an error; a pointer that
//! is not null is trusted, as C does.

pub mod arrays;
pub mod devices;
pub mod scalars;

pub use arrays::{Handle, borrow, give, take};
pub use devices::{Device, device};
pub use scalars::{char, clear, present, store};

use crate::error::Error;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a call from C has failed.
#[derive(Debug)]
pub enum Failure {
    /// As in Rust.
    Error(Error),
    /// An argument that a function of Rust could not be given.
    Argument(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

/// The number of a failed argument. The header has the names of all of these numbers.
const ARGUMENT: c_int = 1;
/// The number of a panic.
const PANIC: c_int = 2;

/// The number of an error.
fn status(error: &Error) -> c_int {
    match error {
        Error::ShapeMismatch { .. } => 3,
        Error::OutOfBounds { .. } => 4,
        Error::DivisionByZero { .. } => 5,
        Error::EmptyReduction { .. } => 6,
        Error::SegmentMismatch { .. } => 7,
        Error::Indivisible { .. } => 8,
        Error::AssertionFailed { .. } => 9,
        Error::OutOfMemory { .. } => 10,
        Error::NoDevice { .. } => 11,
        Error::WrongDevice { .. } => 12,
        Error::Cuda { .. } => 13,
        Error::NotBuilt { .. } => 14,
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// The text of the last error of this thread, empty before the first. It lives until the next error of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn accelerate_last_error() -> *const c_char {
    // A thread that ends has no text any more.
    (LAST_ERROR.try_with(|text| text.borrow().as_ptr())).unwrap_or(c"".as_ptr())
}

/// Runs what a function for C does, and gives its status. No panic gets out.
pub fn call(work: impl FnOnce() -> Result<(), Failure>) -> c_int {
    record(catch_unwind(AssertUnwindSafe(work)))
}

/// The status of what has been done; the text of an error is kept.
fn record(result: std::thread::Result<Result<(), Failure>>) -> c_int {
    let (status, text) = match result {
        Ok(Ok(())) => return 0,
        Ok(Err(Failure::Error(error))) => (status(&error), error.to_string()),
        Ok(Err(Failure::Argument(text))) => (ARGUMENT, text),
        Err(panic) => (PANIC, text_of(&*panic)),
    };
    // A text of C ends at its first zero.
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    // As above: a thread that ends keeps no text.
    let _ = LAST_ERROR.try_with(|last| last.replace(text));
    status
}

/// What a panic says.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = (panic.downcast_ref::<String>().map(String::as_str))
        .or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// The error of a null pointer.
fn null(name: &str) -> Failure {
    Failure::Argument(format!("`{name}` is a null pointer"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last_error() -> String {
        // SAFETY: a text that lives until the next error of this thread.
        let text = unsafe { CStr::from_ptr(accelerate_last_error()) };
        text.to_string_lossy().into_owned()
    }

    #[test]
    fn the_header_has_the_numbers() {
        let header = include_str!("../../../../compiler/src/codegen/host/export/accelerate.h");
        let (place, message, device) = (None, String::new(), String::new());
        let numbers = [
            ("OK", 0),
            ("ARGUMENT", ARGUMENT),
            ("PANIC", PANIC),
            ("SHAPE_MISMATCH", status(&Error::shape(message.clone()))),
            (
                "OUT_OF_BOUNDS",
                status(&Error::OutOfBounds {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "DIVISION_BY_ZERO",
                status(&Error::DivisionByZero {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "EMPTY_REDUCTION",
                status(&Error::EmptyReduction {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "SEGMENT_MISMATCH",
                status(&Error::SegmentMismatch {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "INDIVISIBLE",
                status(&Error::Indivisible {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "ASSERTION_FAILED",
                status(&Error::AssertionFailed {
                    place,
                    message: message.clone(),
                }),
            ),
            (
                "OUT_OF_MEMORY",
                status(&Error::OutOfMemory { bytes: 0, device }),
            ),
            (
                "NO_DEVICE",
                status(&Error::NoDevice {
                    message: message.clone(),
                }),
            ),
            (
                "WRONG_DEVICE",
                status(&Error::WrongDevice {
                    message: message.clone(),
                }),
            ),
            (
                "CUDA",
                status(&Error::Cuda {
                    message: message.clone(),
                }),
            ),
            ("NOT_BUILT", status(&Error::NotBuilt { message })),
        ];
        for (name, number) in numbers {
            let line = format!("    ACCELERATE_{name} = {number}");
            assert!(
                header.lines().any(|l| l.trim_end_matches(',') == line),
                "{line}"
            );
        }
    }

    #[test]
    fn panics_and_errors_become_a_status_and_a_text() {
        assert_eq!(last_error(), "");
        assert_eq!(call(|| Ok(())), 0);
        assert_eq!(call(|| panic!("at {}", 7)), PANIC);
        assert_eq!(last_error(), "at 7");
        assert_eq!(call(|| Err(Error::shape("6\0 values".into()).into())), 3);
        assert_eq!(last_error(), "6 values");
        assert_eq!(call(|| Ok(())), 0);
        assert_eq!(last_error(), "6 values", "until the next error");
        let other = std::thread::spawn(last_error).join();
        assert_eq!(other.expect("it ends"), "", "each thread has its own");
    }
}
