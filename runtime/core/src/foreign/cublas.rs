//! Products of matrices by cuBLAS, which is loaded at the first one.
//!
//! Its few functions are looked up here: a library that is not there, or has none of that name, is an error and no panic, and a
//! status that nobody knows is a number.

use super::{Stream, View, ViewMut};
use crate::error::{Error, Result};
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

type Handle = *mut c_void;
type Status = c_int;
type Create = unsafe extern "C" fn(*mut Handle) -> Status;
type SetStream = unsafe extern "C" fn(Handle, *mut c_void) -> Status;
/// Whether the two are transposed; rows, columns, and what is summed over; a factor; the two with their leading dimensions; what
/// the result is multiplied by before; the result with its leading dimension. Of matrices by columns.
type Gemm<T> = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const T,
    *const T,
    c_int,
    *const T,
    c_int,
    *const T,
    *mut T,
    c_int,
) -> Status;

/// `CUBLAS_OP_N`.
const AS_IT_IS: c_int = 0;

/// The functions that are used.
struct Functions {
    create: Create,
    set_stream: SetStream,
    sgemm: Gemm<f32>,
    dgemm: Gemm<f64>,
}

/// A handle of a device and its stream, used by one thread at a time.
struct Opened {
    ordinal: usize,
    handle: Handle,
}

// SAFETY: handles may be used from every thread, one at a time.
unsafe impl Send for Opened {}

mod sealed {
    /// Which function is meant.
    pub trait Sealed: Sized {
        #[doc(hidden)]
        const ZERO: Self;
        #[doc(hidden)]
        const ONE: Self;
    }
}

/// A number that cuBLAS has a product of matrices of: `f32` and `f64`.
pub trait Number: sealed::Sealed + Copy + 'static {
    #[doc(hidden)]
    fn name() -> &'static str;
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "hidden")]
    fn gemm(functions: &Functions) -> Gemm<Self>;
}

macro_rules! numbers {
    ($($ty:ident $field:ident $name:literal),+) => {$(
        impl sealed::Sealed for $ty {
            const ZERO: $ty = 0.0;
            const ONE: $ty = 1.0;
        }

        impl Number for $ty {
            fn name() -> &'static str {
                $name
            }

            #[expect(private_interfaces, reason = "hidden")]
            fn gemm(functions: &Functions) -> Gemm<$ty> {
                functions.$field
            }
        }
    )+};
}

numbers!(f32 sgemm "cublasSgemm", f64 dgemm "cublasDgemm");

/// The product of two matrices by cuBLAS: what `#[foreign(rust = accelerate::foreign::gemm)]` on a function whose body is
/// `a.matmul(b)` calls. Needs the feature `cublas` of this crate, and the library (`libcublas.so`) where the program runs.
///
/// # Errors
/// [`Error::ShapeMismatch`] for matrices that do not fit together; [`Error::Cuda`] if there is no cuBLAS, if it reports an error,
/// or for extents of 2^31 or more.
pub fn gemm<T: Number>(
    stream: &Stream,
    a: View<'_, T, 2>,
    b: View<'_, T, 2>,
    mut result: ViewMut<'_, T, 2>,
) -> Result<()> {
    let ([m, k], [rows, n]) = (a.extents(), b.extents());
    if k != rows || result.extents() != [m, n] {
        return Err(Error::shape(format!(
            "`gemm` of matrices of the shapes {:?} and {:?} into one of {:?}",
            a.extents(),
            b.extents(),
            result.extents()
        )));
    }
    if m == 0 || n == 0 {
        return Ok(());
    }
    if k == 0 {
        let bytes = result.len() * size_of::<T>();
        let address = result.as_mut_ptr() as u64;
        // SAFETY: the result has so many bytes.
        return unsafe { stream.gpu.fill(address, 0, bytes) };
    }
    let [m, n, k] = [extent(m)?, extent(n)?, extent(k)?];
    stream.gpu.with_context(|| {
        let functions = functions()?;
        with_handle(stream, functions, |handle| {
            let gemm = T::gemm(functions);
            let (one, zero) = (T::ONE, T::ZERO);
            // Matrices by rows are their transposes by columns: the transposed product is that of the transposes, the other way
            // round.
            // SAFETY: the views have so many elements, which stay there for the stream; both factors are read at once.
            let status = unsafe {
                gemm(
                    handle,
                    AS_IT_IS,
                    AS_IT_IS,
                    n,
                    m,
                    k,
                    &one,
                    b.as_ptr(),
                    n,
                    a.as_ptr(),
                    k,
                    &zero,
                    result.as_mut_ptr(),
                    n,
                )
            };
            succeeded(T::name(), status)
        })
    })
}

/// An extent as cuBLAS takes it.
fn extent(extent: usize) -> Result<c_int> {
    c_int::try_from(extent).map_err(|_| Error::Cuda {
        message: format!("cuBLAS takes no matrix with an extent of {extent}: at most 2^31 - 1"),
    })
}

/// The functions of the library, which stays loaded.
fn functions() -> Result<&'static Functions> {
    static FUNCTIONS: OnceLock<std::result::Result<Functions, String>> = OnceLock::new();
    let functions = FUNCTIONS.get_or_init(|| {
        let library = library()?;
        let missing = |error: libloading::Error| format!("cuBLAS cannot be used: {error}");
        // SAFETY: the functions have had these types since version 4 of cuBLAS.
        unsafe {
            Ok(Functions {
                create: *library.get(b"cublasCreate_v2\0").map_err(missing)?,
                set_stream: *library.get(b"cublasSetStream_v2\0").map_err(missing)?,
                sgemm: *library.get(b"cublasSgemm_v2\0").map_err(missing)?,
                dgemm: *library.get(b"cublasDgemm_v2\0").map_err(missing)?,
            })
        }
    });
    functions.as_ref().map_err(|message| Error::Cuda {
        message: message.clone(),
    })
}

fn library() -> std::result::Result<&'static Library, String> {
    let names: &[&str] = match cfg!(windows) {
        true => &["cublas64_13.dll", "cublas64_12.dll", "cublas64_11.dll"],
        false => &[
            "libcublas.so",
            "libcublas.so.13",
            "libcublas.so.12",
            "libcublas.so.11",
        ],
    };
    // SAFETY: runs the library's initialisers, as every user of it does.
    let mut found = names.iter().map(|name| unsafe { Library::new(*name) });
    match found.find_map(std::result::Result::ok) {
        Some(library) => Ok(Box::leak(Box::new(library))),
        None => Err(format!(
            "no cuBLAS: looked for {} in the system's library path",
            names.join(", ")
        )),
    }
}

/// Uses the handle of a device and its stream, of which there is one.
fn with_handle(
    stream: &Stream,
    functions: &Functions,
    work: impl FnOnce(Handle) -> Result<()>,
) -> Result<()> {
    static OPENED: Mutex<Vec<Opened>> = Mutex::new(Vec::new());
    let mut all = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.iter().find(|one| one.ordinal == stream.ordinal());
    if let Some(opened) = known {
        return work(opened.handle);
    }
    let mut handle = std::ptr::null_mut();
    // SAFETY: writes one handle, of the context that is current.
    succeeded("cublasCreate", unsafe { (functions.create)(&mut handle) })?;
    // SAFETY: the stream is one of that context, and stays.
    let status = unsafe { (functions.set_stream)(handle, stream.as_raw()) };
    succeeded("cublasSetStream", status)?;
    all.push(Opened {
        ordinal: stream.ordinal(),
        handle,
    });
    work(handle)
}

/// What cuBLAS says of a call.
fn succeeded(call: &str, status: Status) -> Result<()> {
    let meaning = match status {
        0 => return Ok(()),
        1 => "CUBLAS_STATUS_NOT_INITIALIZED",
        3 => "CUBLAS_STATUS_ALLOC_FAILED",
        7 => "CUBLAS_STATUS_INVALID_VALUE",
        8 => "CUBLAS_STATUS_ARCH_MISMATCH",
        11 => "CUBLAS_STATUS_MAPPING_ERROR",
        13 => "CUBLAS_STATUS_EXECUTION_FAILED",
        14 => "CUBLAS_STATUS_INTERNAL_ERROR",
        15 => "CUBLAS_STATUS_NOT_SUPPORTED",
        16 => "CUBLAS_STATUS_LICENSE_ERROR",
        _ => "an error that it has no name for",
    };
    Err(Error::Cuda {
        message: format!("{call}: {meaning} ({status})"),
    })
}
