#![warn(missing_docs)]
//! What array programs run on: arrays and their memory, devices, launches of kernels, and the code of the CPU.
//!
//! Programs name the crate `accelerate`, which is this one and the macro. They are two so that cargo compiles this one while it
//! compiles the macro's compiler.

mod array;
mod buffer;
#[doc(hidden)]
pub mod c;
mod call;
#[doc(hidden)]
pub mod cpu;
mod cuda;
mod device;
mod element;
mod error;
mod failure;
pub mod foreign;
mod image;
#[doc(hidden)]
pub mod lanes;
#[doc(hidden)]
pub mod math;
mod memory;
#[cfg(feature = "ndarray")]
mod ndarray;
mod program;
mod segmented;
mod shape;
mod stream;

pub use array::{Array, Columns, Cube, Matrix, Scalar, Vector};
pub use cuda::Choice;
pub use device::{Device, Kind, Memory};
pub use element::Element;
pub use error::{Error, Place, Result};
pub use half::{bf16, f16};
pub use segmented::Segmented;
pub use shape::{Rank, Ranked, Shape};
pub use stream::{Input, Stream};

/// Stands beside each type that a block may name, under the same name: see `rt::names`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mentioned {
    () => {};
}
#[doc(hidden)]
pub use crate::{
    __mentioned as Array, __mentioned as Cube, __mentioned as Matrix, __mentioned as Scalar,
    __mentioned as Segmented, __mentioned as Vector, __mentioned as bf16, __mentioned as f16,
};

/// What the macro's code uses. No part of the interface: it changes without notice.
#[doc(hidden)]
pub mod rt {
    pub mod scalar;
    /// What a block's code names where the host may have imported it, so that the import counts as used.
    pub mod names {
        pub use crate::{Array, Cube, Matrix, Scalar, Segmented, Vector, bf16, f16};
    }

    pub use crate::buffer::Buffer;
    pub use crate::call::{Call, Finished, warm};
    pub use crate::cuda::{choice, pieces};
    pub use crate::element::Leaf;
    pub use crate::failure::{Failure, Found, Kind, Site, panic};
    pub use crate::foreign::rt::{view, view_mut};
    pub use crate::program::{Entry, Kernel, Program, Regime};
    pub use crate::stream::stream;
    pub use crate::{c, cpu, lanes, math};
    pub use scalar::{bits, greatest, product};

    /// Segments, by offsets that a program has found to be those of the values.
    pub fn segmented<T: crate::Element>(
        values: crate::Vector<T>,
        offsets: crate::Vector<usize>,
    ) -> crate::Segmented<T> {
        crate::Segmented::of(values, offsets)
    }
}

/// What a function costs, as the compiler knows it: `f::COST`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Launches on the worst path, the body of a loop counted once.
    pub kernels: u32,
    /// Bytes read from device memory, as a polynomial in the shapes of the parameters.
    pub read: &'static str,
    /// Bytes written.
    pub written: &'static str,
}
