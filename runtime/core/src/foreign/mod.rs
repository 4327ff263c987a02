//! Functions of arrays that Rust code of yours computes on CUDA devices: what `#[foreign(rust = ..)]` names.
//!
//! ```
//! use accelerate::{Device, Matrix, accelerate, foreign};
//!
//! /// The same on a GPU, by whatever the device has for that.
//! fn fast(
//!     stream: &foreign::Stream,
//!     a: foreign::View<f32, 2>,
//!     by: f32,
//!     mut result: foreign::ViewMut<f32, 2>,
//! ) -> accelerate::Result<()> {
//!     let scaled: Vec<f32> = a.to_vec(stream)?.iter().map(|x| x * by).collect();
//!     result.copy_from(stream, &scaled)
//! }
//!
//! accelerate! {
//!     #[foreign(rust = fast)]
//!     fn scaled(a: &Matrix<f32>, by: f32) -> Matrix<f32> {
//!         a.map(|x| x * by)
//!     }
//!
//!     pub fn twice(a: &Matrix<f32>) -> Matrix<f32> {
//!         scaled(a, 2.0).map(|x| x + 1.0)
//!     }
//! }
//!
//! let device = Device::best()?;
//! let a = Matrix::from_vec(&device, (1, 2), vec![1.0, 2.0])?;
//! assert_eq!(twice(&device, &a)?.to_vec()?, [3.0, 5.0]);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! On a CUDA device the function is called by the thread that calls the program, once its arguments are being computed on the
//! stream. It queues work on that [`Stream`], and returns. Its parameters are the stream; for each parameter of the foreign
//! function a [`View`] for each leaf of an array, or a scalar, tuple or struct as a Rust value; and a [`ViewMut`] for each leaf of
//! the result, which is zeros. An error that it returns is that of the call; the device and all arrays remain usable.
//!
//! Elsewhere the body of the foreign function is computed, and its result has the body's shape in any case: what the body requires
//! of shapes and scalars is checked before the function is called.
//!
//! With the feature `cublas` of this crate there is `accelerate::foreign::gemm`, products of matrices by cuBLAS, of `f32` and `f64`:
//! `#[foreign(rust = accelerate::foreign::gemm)]` before a function whose body is `a.matmul(b)`. The library is looked for at the first
//! product; without it that is an error.

#[cfg(feature = "cublas")]
mod cublas;
mod views;

#[cfg(feature = "cublas")]
pub use cublas::{Number, gemm};
pub use views::{View, ViewMut};
/// What the macro's code uses.
#[doc(hidden)]
pub mod rt {
    pub use super::views::{view, view_mut};
}

use crate::cuda::Gpu;
use crate::error::Result;
use std::ffi::c_void;
use std::sync::Arc;

/// Where work for a CUDA device is queued: everything on it happens in order. What a call computes before is queued already, and
/// what it computes after waits for what is queued here.
///
/// While a foreign function runs, the context of the device is current on its thread.
#[derive(Debug)]
pub struct Stream {
    gpu: Arc<Gpu>,
}

impl Stream {
    pub(crate) fn of(gpu: &Arc<Gpu>) -> Stream {
        Stream { gpu: gpu.clone() }
    }

    /// The driver's `CUstream`, which is the runtime's `cudaStream_t`. It lives as long as the process. Waiting for it is all that
    /// may be done with it but queueing work.
    pub fn as_raw(&self) -> *mut c_void {
        self.gpu.stream()
    }

    /// The driver's `CUcontext`: the primary one of the device.
    pub fn context(&self) -> *mut c_void {
        self.gpu.context()
    }

    /// The number of the device: see [`Device::cuda`](crate::Device::cuda).
    pub fn ordinal(&self) -> usize {
        self.gpu.ordinal()
    }

    /// Waits until everything queued has been done.
    ///
    /// # Errors
    /// If the driver reports one.
    pub fn synchronize(&self) -> Result<()> {
        self.gpu.synchronize()
    }
}
