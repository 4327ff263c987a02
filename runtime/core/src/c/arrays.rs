//! Arrays for C: a handle holds one leaf with its type and shape; `usize` is `u64` there, and `char` is `u32`.

use super::{Device, Failure, call, clear, device, null, store};
use crate::array::Array;
use crate::buffer::{Buffer, on_device, on_host};
use crate::element::{Element, Leaf};
use crate::error::Error;
use crate::failure::Status;
use crate::shape::count;
use std::ffi::c_int;
use std::slice;
use std::sync::{Mutex, PoisonError};

/// `accelerate_array` of the header: empty once it has been given away to a call.
#[derive(Debug)]
pub struct Handle(Mutex<Option<Held>>);

#[derive(Clone, Debug)]
struct Held {
    device: crate::Device,
    extents: Vec<usize>,
    leaf: Leaf,
    buffer: Buffer,
    status: Status,
}

impl Held {
    fn of<T: Element, const N: usize>(array: Array<T, N>) -> Held {
        let (device, extents, leaves, status) = array.into_parts();
        let [buffer] = <[Buffer; 1]>::try_from(leaves.into_vec()).expect("one leaf");
        Held {
            device,
            extents: extents.to_vec(),
            leaf: T::leaf(0),
            buffer,
            status,
        }
    }

    fn array<T: Element, const N: usize>(self, extents: [usize; N]) -> Array<T, N> {
        Array::from_leaves(self.device, extents, [self.buffer].into(), self.status)
    }

    fn handle(self) -> *mut Handle {
        Box::into_raw(Box::new(Handle(Mutex::new(Some(self)))))
    }

    fn check(&self, leaf: Leaf, rank: usize, name: &str) -> Result<(), Failure> {
        let (found, expected) = ((self.leaf, self.extents.len()), (leaf, rank));
        if found == expected {
            return Ok(());
        }
        let show = |(leaf, rank): (Leaf, usize)| {
            let leaf = format!("{leaf:?}").to_lowercase();
            format!("an array of `{leaf}` of rank {rank}")
        };
        let (found, expected) = (show(found), show(expected));
        let text = format!("`{name}` is {found}: expected {expected}");
        Err(Failure::Argument(text))
    }
}

/// Does something with what a handle holds.
///
/// # Safety
/// The pointer is null or of a function of this interface, and is not freed meanwhile.
unsafe fn with<R>(
    handle: *const Handle,
    name: &str,
    work: impl FnOnce(&mut Option<Held>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: by contract.
    let Some(Handle(held)) = (unsafe { handle.as_ref() }) else {
        return Err(null(name));
    };
    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
    if held.is_none() {
        let text = format!("`{name}` is empty: it was given away to a call");
        return Err(Failure::Argument(text));
    }
    work(&mut held)
}

/// The array of an argument, which C keeps.
///
/// # Safety
/// The pointer is null or of a function of this interface, and is not freed meanwhile.
///
/// # Errors
/// If there is none, or one of another type or rank.
pub unsafe fn borrow<T: Element, const N: usize>(
    handle: *const Handle,
    name: &str,
) -> Result<Array<T, N>, Failure> {
    let work = |held: &mut Option<Held>| {
        let held = held.as_ref().expect("it is not empty");
        held.check(T::leaf(0), N, name)?;
        let extents = <[usize; N]>::try_from(&held.extents[..]).expect("of this rank");
        Ok(held.clone().array(extents))
    };
    // SAFETY: by contract.
    unsafe { with(handle, name, work) }
}

/// As [`borrow`], of an argument that is given away: the handle is empty from now on.
///
/// # Safety
/// As of [`borrow`].
///
/// # Errors
/// As of [`borrow`]; then it is not given away.
pub unsafe fn take<T: Element, const N: usize>(
    handle: *const Handle,
    name: &str,
) -> Result<Array<T, N>, Failure> {
    let work = |held: &mut Option<Held>| {
        held.as_ref()
            .expect("it is not empty")
            .check(T::leaf(0), N, name)?;
        let held = held.take().expect("it is not empty");
        let extents = <[usize; N]>::try_from(&held.extents[..]).expect("of this rank");
        Ok(held.array(extents))
    };
    // SAFETY: by contract.
    unsafe { with(handle, name, work) }
}

/// Stores a result.
///
/// # Safety
/// The pointer may be written to.
pub unsafe fn give<T: Element, const N: usize>(to: *mut *mut Handle, array: Array<T, N>) {
    // SAFETY: by contract.
    unsafe { store(to, Held::of(array).handle()) };
}

/// The memory of an argument.
///
/// # Safety
/// There are so many values, or the pointer is null.
unsafe fn values<'a, T>(data: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    match count {
        0 => Ok(&[]),
        _ if data.is_null() => Err(null(name)),
        // SAFETY: by contract.
        _ => Ok(unsafe { slice::from_raw_parts(data, count) }),
    }
}

/// A new array of values of the host.
///
/// # Safety
/// Pointers are null, or there is what they say, values of the leaf's type; those for results may be written to.
unsafe fn from(
    leaf: Leaf,
    on: *const Device,
    data: *const u8,
    (shape, rank): (*const usize, usize),
    array: *mut *mut Handle,
) -> Result<(), Failure> {
    // SAFETY: by contract.
    let (on, extents) = unsafe {
        clear(array, "array")?;
        (device(on)?, values(shape, rank, "shape")?)
    };
    let bytes = count(extents).and_then(|count| count.checked_mul(leaf.bytes()));
    let bytes = bytes.filter(|bytes| isize::try_from(*bytes).is_ok());
    let bytes = bytes.ok_or_else(|| Error::OutOfMemory {
        bytes: usize::MAX,
        device: on.name(),
    })?;
    // SAFETY: by contract.
    let data = unsafe { values(data, bytes, "data") }?;
    let column = Buffer::host(bytes)?;
    let to: *mut u8 = column.pointer();
    if leaf == Leaf::Bool {
        // A `bool` of C may be stored as any byte where its memory was filled by other means.
        for (k, &byte) in data.iter().enumerate() {
            // SAFETY: the column is fresh, of as many bytes.
            unsafe { to.add(k).write(u8::from(byte != 0)) };
        }
    } else {
        // SAFETY: the column is fresh, of as many bytes.
        unsafe { to.copy_from_nonoverlapping(data.as_ptr(), bytes) };
    }
    let held = Held {
        extents: extents.to_vec(),
        leaf,
        buffer: on_device(on, column, bytes)?,
        status: Status::default(),
        device: on.clone(),
    };
    // SAFETY: by contract; it has been cleared.
    unsafe { store(array, held.handle()) };
    Ok(())
}

/// Copies the values to the host.
///
/// # Safety
/// Pointers are null, or there is what they say; `data` has room for `count` values of the leaf's type.
unsafe fn to(leaf: Leaf, array: *const Handle, data: *mut u8, count: usize) -> Result<(), Failure> {
    let work = |held: &mut Option<Held>| {
        let held = held.as_ref().expect("it is not empty");
        held.check(leaf, held.extents.len(), "array")?;
        Ok(held.clone())
    };
    // SAFETY: by contract.
    let held = unsafe { with(array, "array", work) }?;
    let len: usize = held.extents.iter().product();
    if len != count {
        let text = format!("`count` is {count}, of an array of {len} elements");
        return Err(Failure::Argument(text));
    }
    if data.is_null() && count > 0 {
        return Err(null("data"));
    }
    held.status.wait()?;
    let bytes = count * leaf.bytes();
    let column = on_host(&held.device, &held.buffer, bytes, &held.status)?;
    if bytes > 0 {
        // SAFETY: by contract; the column holds as many bytes, and is not of C's memory.
        unsafe { column.pointer::<u8>().copy_to_nonoverlapping(data, bytes) };
    }
    Ok(())
}

macro_rules! elements {
    ($($leaf:ident as $stored:ident: $from:ident $to:ident;)+) => {$(
        /// A new array of values of the host, in row-major order.
        ///
        /// # Safety
        /// There are as many values as the shape says; `shape` has `rank` extents; `array` may be written to. Each may be
        /// null, which is an error.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $from(
            device: *const Device,
            data: *const $stored,
            shape: *const usize,
            rank: usize,
            array: *mut *mut Handle,
        ) -> c_int {
            // SAFETY: by contract.
            call(|| unsafe { from(Leaf::$leaf, device, data.cast(), (shape, rank), array) })
        }

        /// Waits for an array, and copies its values to the host.
        ///
        /// # Safety
        /// `data` has room for `count` values; the array is a handle. Each may be null, which is an error.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $to(
            array: *const Handle,
            data: *mut $stored,
            count: usize,
        ) -> c_int {
            // SAFETY: by contract.
            call(|| unsafe { to(Leaf::$leaf, array, data.cast(), count) })
        }
    )+};
}

elements! {
    Bool as u8: accelerate_from_bool accelerate_to_bool;
    I8 as i8: accelerate_from_i8 accelerate_to_i8;
    I16 as i16: accelerate_from_i16 accelerate_to_i16;
    I32 as i32: accelerate_from_i32 accelerate_to_i32;
    I64 as i64: accelerate_from_i64 accelerate_to_i64;
    U8 as u8: accelerate_from_u8 accelerate_to_u8;
    U16 as u16: accelerate_from_u16 accelerate_to_u16;
    U32 as u32: accelerate_from_u32 accelerate_to_u32;
    U64 as u64: accelerate_from_u64 accelerate_to_u64;
    F16 as u16: accelerate_from_f16 accelerate_to_f16;
    Bf16 as u16: accelerate_from_bf16 accelerate_to_bf16;
    F32 as f32: accelerate_from_f32 accelerate_to_f32;
    F64 as f64: accelerate_from_f64 accelerate_to_f64;
}

/// The number of axes of an array.
///
/// # Safety
/// The array is null or a handle; `rank` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_rank(array: *const Handle, rank: *mut usize) -> c_int {
    call(|| {
        super::present(rank, "rank")?;
        let work = |held: &mut Option<Held>| Ok(held.as_ref().map_or(0, |held| held.extents.len()));
        // SAFETY: by contract.
        unsafe { store(rank, with(array, "array", work)?) };
        Ok(())
    })
}

/// The extents of an array, outermost first.
///
/// # Safety
/// The array is null or a handle; `shape` has room for `rank` extents, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_shape(
    array: *const Handle,
    shape: *mut usize,
    rank: usize,
) -> c_int {
    call(|| {
        let work = |held: &mut Option<Held>| Ok(held.clone().expect("it is not empty").extents);
        // SAFETY: by contract.
        let extents = unsafe { with(array, "array", work) }?;
        if extents.len() != rank {
            let text = format!("`rank` is {rank}, of an array of rank {}", extents.len());
            return Err(Failure::Argument(text));
        }
        if rank > 0 {
            super::present(shape, "shape")?;
        }
        for (axis, extent) in extents.into_iter().enumerate() {
            // SAFETY: by contract.
            unsafe { shape.add(axis).write(extent) };
        }
        Ok(())
    })
}

/// Gives a handle back, also one that is empty.
///
/// # Safety
/// The pointer is null or a handle, and is not used after this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accelerate_free(array: *mut Handle) {
    if !array.is_null() {
        call(|| {
            // SAFETY: by contract.
            drop(unsafe { Box::from_raw(array) });
            Ok(())
        });
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
