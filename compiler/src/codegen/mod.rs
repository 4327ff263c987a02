//! Plans as text: CUDA C for the device, Rust for the host and the CPU.

mod affine;
pub mod cpu;
pub mod cuda;
pub(crate) mod host;
pub(crate) mod names;
mod prelude;
pub(crate) mod scalar;
mod transposed;
