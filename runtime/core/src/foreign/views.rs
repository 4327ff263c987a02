//! Arrays in the memory of a device, as a foreign function has them.

use super::Stream;
use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::{Error, Result};
use std::fmt;
use std::marker::PhantomData;

/// A leaf of an array in the memory of a CUDA device: row-major, to be read.
///
/// The memory is valid for whatever has been queued on the stream when the foreign function returns; it may be of others by then
/// for anything else. It has the elements at the time when the stream comes to work that is queued now.
pub struct View<'a, T, const N: usize> {
    address: u64,
    extents: [usize; N],
    of: PhantomData<&'a T>,
}

/// A leaf of a result in the memory of a CUDA device: row-major, to be written, and zeros until then. As valid as a [`View`];
/// it shares its memory with nothing.
pub struct ViewMut<'a, T, const N: usize> {
    view: View<'a, T, N>,
}

/// What the macro's code makes of an argument.
///
/// # Safety
/// The buffer holds as many elements of this type.
pub unsafe fn view<T, const N: usize>(buffer: &Buffer, extents: [u64; N]) -> View<'_, T, N> {
    View {
        address: buffer.address(),
        extents: extents.map(|extent| extent as usize),
        of: PhantomData,
    }
}

/// What the macro's code makes of a result.
///
/// # Safety
/// The buffer holds as many elements of this type, and nothing else uses it meanwhile.
pub unsafe fn view_mut<T, const N: usize>(buffer: &Buffer, extents: [u64; N]) -> ViewMut<'_, T, N> {
    ViewMut {
        // SAFETY: by contract.
        view: unsafe { view(buffer, extents) },
    }
}

impl<T, const N: usize> Clone for View<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for View<'_, T, N> {}

impl<T, const N: usize> fmt::Debug for View<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "View({:?} at {:#x})", self.extents, self.address)
    }
}

impl<T, const N: usize> fmt::Debug for ViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "ViewMut({:?} at {:#x})",
            self.extents(),
            self.view.address
        )
    }
}

impl<T, const N: usize> View<'_, T, N> {
    /// The extents of the axes; the last one varies fastest.
    pub fn extents(&self) -> [usize; N] {
        self.extents
    }

    /// The number of elements: the product of the extents.
    pub fn len(&self) -> usize {
        self.extents.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where they lie in the memory of the device, which the host cannot read; null if there are none.
    pub fn as_ptr(&self) -> *const T {
        std::ptr::without_provenance(self.address as usize)
    }
}

impl<T: Element, const N: usize> View<'_, T, N> {
    /// Waits, and copies the elements to the host.
    ///
    /// # Errors
    /// If the driver reports one.
    pub fn to_vec(&self, stream: &Stream) -> Result<Vec<T>> {
        const { assert!(T::PLAIN, "the elements of views are numbers and `bool`") };
        let len = self.len();
        let mut values: Vec<T> = Vec::with_capacity(len);
        if len > 0 {
            let bytes = len * size_of::<T>();
            // SAFETY: both sides have room for so many elements, which are plain; afterwards they are there.
            unsafe {
                let to = values.as_mut_ptr().cast();
                stream.gpu.copy_to_host(to, self.address, bytes, None)?;
                values.set_len(len);
            }
        }
        Ok(values)
    }
}

impl<'a, T, const N: usize> ViewMut<'a, T, N> {
    /// See [`View::extents`].
    pub fn extents(&self) -> [usize; N] {
        self.view.extents
    }

    /// See [`View::len`].
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// See [`View::is_empty`].
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }

    /// See [`View::as_ptr`].
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.view.as_ptr().cast_mut()
    }

    /// The same to be read, once it has been written.
    pub fn as_view(&self) -> View<'_, T, N> {
        self.view
    }

    /// The same for a while, to be given away.
    pub fn reborrow(&mut self) -> ViewMut<'_, T, N> {
        ViewMut { view: self.view }
    }
}

impl<T: Element, const N: usize> ViewMut<'_, T, N> {
    /// Copies elements from the host; they may be used for something else afterwards.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] for a wrong number of elements; what the driver reports.
    pub fn copy_from(&mut self, stream: &Stream, values: &[T]) -> Result<()> {
        const { assert!(T::PLAIN, "the elements of views are numbers and `bool`") };
        if values.len() != self.len() {
            return Err(Error::shape(format!(
                "{} values for a view of the shape {:?}",
                values.len(),
                self.extents()
            )));
        }
        if values.is_empty() {
            return Ok(());
        }
        let from = values.as_ptr().cast();
        // SAFETY: both sides have so many elements.
        unsafe { (stream.gpu).copy_to_device(self.view.address, from, size_of_val(values)) }
    }
}
