//! Arrays: made on the host, kept on a device, read when asked.

use crate::buffer::{Buffer, columns_of, download, on_device, on_host, values_of};
use crate::device::{Device, Target};
use crate::element::{Element, Leaf, leaves};
use crate::error::{Error, Result};
use crate::failure::Status;
use crate::shape::{Rank, Ranked, Shape, count, index_at, position};
use std::fmt;
use std::marker::PhantomData;

/// A row-major array of rank `N` on a device. Cheap to clone: clones share their memory.
///
/// An array of tuples or structs is stored as one plain array per leaf field.
///
/// ```
/// use accelerate::{Device, Matrix, Vector};
///
/// let device = Device::cpu();
/// let xs = Vector::from_vec(&device, vec![1.0f32, 2.0, 3.0])?;
/// assert_eq!(xs.get(1)?, 2.0);
/// let m = Matrix::from_fn(&device, (2, 3), |(row, column)| (row, column as u8))?;
/// assert_eq!(m.shape(), (2, 3));
/// assert_eq!(m.to_vec()?[4], (1, 1));
/// # Ok::<(), accelerate::Error>(())
/// ```
pub struct Array<T: Element, const N: usize> {
    device: Device,
    extents: [usize; N],
    leaves: Box<[Buffer]>,
    status: Status,
    element: PhantomData<fn() -> T>,
}

/// One element on a device.
pub type Scalar<T> = Array<T, 0>;
/// An array of rank 1.
pub type Vector<T> = Array<T, 1>;
/// An array of rank 2.
pub type Matrix<T> = Array<T, 2>;
/// An array of rank 3.
pub type Cube<T> = Array<T, 3>;

impl<T: Element, const N: usize> Array<T, N> {
    /// From leaves in the memory of `device`, which hold as many elements as the extents say.
    pub(crate) fn from_leaves(
        device: Device,
        extents: [usize; N],
        leaves: Box<[Buffer]>,
        status: Status,
    ) -> Self {
        debug_assert_eq!(leaves.len(), T::LEAVES);
        Array {
            device,
            extents,
            leaves,
            status,
            element: PhantomData,
        }
    }

    /// From columns in host memory.
    fn from_columns_on_host(
        device: &Device,
        extents: [usize; N],
        columns: Vec<Buffer>,
    ) -> Result<Self> {
        let count = count(&extents).expect("as many values exist");
        let leaves = leaves::<T>();
        let columns = columns.into_iter().zip(leaves);
        let columns = columns
            .map(|(column, leaf)| on_device(device, column, count * leaf.bytes()))
            .collect::<Result<_>>()?;
        let status = Status::default();
        Ok(Self::from_leaves(device.clone(), extents, columns, status))
    }

    pub(crate) fn from_values(device: &Device, extents: [usize; N], values: &[T]) -> Result<Self> {
        if count(&extents) != Some(values.len()) {
            return Err(Error::shape(format!(
                "{} values do not fill the shape {extents:?}",
                values.len()
            )));
        }
        Self::from_columns_on_host(device, extents, columns_of(values)?)
    }

    /// The device that holds it.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        // Cannot overflow: there is, or was, memory for them.
        self.extents.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for what computes it, and copies the elements to the host, in row-major order.
    ///
    /// # Errors
    /// If a call that it depends on has failed.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.read(0, self.len())
    }

    /// The elements from the flat position `first` on.
    fn read(&self, first: usize, len: usize) -> Result<Vec<T>> {
        self.status.wait()?;
        match self.device.target() {
            // SAFETY: the leaves hold all elements, and the range is inside.
            Target::Cpu => Ok(unsafe { values_of(&self.leaves, first, len) }),
            Target::Cuda(gpu) => {
                let columns = self
                    .leaves
                    .iter()
                    .zip(leaves::<T>())
                    .map(|(leaf, ty)| {
                        let (first, bytes) = (first * ty.bytes(), len * ty.bytes());
                        download(gpu, leaf, first, bytes, self.status.end())
                    })
                    .collect::<Result<Vec<_>>>()?;
                // SAFETY: the columns are exactly this range.
                Ok(unsafe { values_of(&columns, 0, len) })
            }
        }
    }

    /// The same elements on another device (or this one: then nothing is copied).
    ///
    /// # Errors
    /// If a call that it depends on has failed, or there is not enough memory.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        if *device == self.device {
            return Ok(self.clone());
        }
        self.status.wait()?;
        let columns = self.leaves_on_host()?;
        Self::from_columns_on_host(device, self.extents, columns)
    }

    /// The leaves in host memory; waits if they have to be copied.
    pub(crate) fn leaves_on_host(&self) -> Result<Vec<Buffer>> {
        self.untyped().on_host()
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn extents(&self) -> &[usize; N] {
        &self.extents
    }

    /// The device, the extents, the leaves, and what it depends on.
    pub(crate) fn into_parts(self) -> (Device, [usize; N], Box<[Buffer]>, Status) {
        (self.device, self.extents, self.leaves, self.status)
    }

    /// The array without its type.
    pub(crate) fn untyped(&self) -> Untyped<'_> {
        Untyped {
            device: &self.device,
            extents: &self.extents,
            leaves: &self.leaves,
            leaf: T::leaf,
            status: &self.status,
        }
    }

    /// The same array, known to depend on these calls.
    pub(crate) fn depending(mut self, status: &Status) -> Self {
        self.status = status.clone();
        self
    }
}

/// An array of any type: what is done with it is compiled once.
pub(crate) struct Untyped<'a> {
    pub(crate) device: &'a Device,
    pub(crate) extents: &'a [usize],
    pub(crate) leaves: &'a [Buffer],
    leaf: fn(usize) -> Leaf,
    pub(crate) status: &'a Status,
}

impl Untyped<'_> {
    /// The leaves in host memory; waits if they have to be copied.
    pub(crate) fn on_host(&self) -> Result<Vec<Buffer>> {
        let count: usize = self.extents.iter().product();
        let host = |(k, column)| {
            let bytes = count * (self.leaf)(k).bytes();
            on_host(self.device, column, bytes, self.status)
        };
        self.leaves.iter().enumerate().map(host).collect()
    }
}

impl<T: Element, const N: usize> Array<T, N>
where
    Rank<N>: Ranked<N>,
{
    /// From values in row-major order.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if there are more or fewer values than the shape has places.
    pub fn from_shape_vec(device: &Device, shape: Shape<N>, values: Vec<T>) -> Result<Self> {
        Self::from_values(device, Rank::<N>::extents(shape), &values)
    }

    /// From a function of the index: `usize` for vectors, a tuple of `usize` above.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_fn(
        device: &Device,
        shape: Shape<N>,
        mut element: impl FnMut(Shape<N>) -> T,
    ) -> Result<Self> {
        let extents = Rank::<N>::extents(shape);
        let count = count(&extents).ok_or_else(|| Error::OutOfMemory {
            bytes: usize::MAX,
            device: device.name(),
        })?;
        let at = |position| element(Rank::<N>::shape(index_at(extents, position)));
        let values: Vec<T> = (0..count).map(at).collect();
        Self::from_values(device, extents, &values)
    }

    /// The extents: a `usize` for vectors, a tuple of `usize` above.
    pub fn shape(&self) -> Shape<N> {
        Rank::<N>::shape(self.extents)
    }

    /// One element, copied to the host. Waits.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], or the error of a call that the array depends on.
    pub fn get(&self, index: Shape<N>) -> Result<T> {
        let place = position(&self.extents, &Rank::<N>::extents(index));
        let place = place.ok_or_else(|| Error::OutOfBounds {
            place: None,
            message: format!("index {index:?} of an array of shape {:?}", self.shape()),
        })?;
        Ok(self.read(place, 1)?[0])
    }
}

impl<T: Element> Scalar<T> {
    /// One element.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_value(device: &Device, value: T) -> Result<Self> {
        Self::from_values(device, [], &[value])
    }

    /// The element, copied to the host. Waits.
    ///
    /// # Errors
    /// If a call that it depends on has failed.
    pub fn value(&self) -> Result<T> {
        self.get(())
    }
}

impl<T: Element> Vector<T> {
    /// From the values.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_vec(device: &Device, values: Vec<T>) -> Result<Self> {
        Self::from_slice(device, &values)
    }

    /// From the values.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_slice(device: &Device, values: &[T]) -> Result<Self> {
        Self::from_values(device, [values.len()], values)
    }

    /// From one vector for each component of the element: a struct of arrays, without going through its elements.
    ///
    /// ```
    /// use accelerate::{Device, Vector};
    ///
    /// let (prices, years) = (vec![10.0f32, 12.0], vec![1u8, 2]);
    /// let options = Vector::from_columns(&Device::cpu(), (prices, years))?;
    /// assert_eq!(options.get(1)?, (12.0, 2));
    /// # Ok::<(), accelerate::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the vectors differ in length.
    pub fn from_columns<C: Columns<Element = T>>(device: &Device, columns: C) -> Result<Self> {
        let (len, columns) = columns.columns()?;
        Self::from_columns_on_host(device, [len], columns)
    }
}

macro_rules! ranks {
    ($($rank:literal),+) => {$(
        impl<T: Element> Array<T, $rank> {
            /// From values in row-major order.
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if there are more or fewer values than the shape has places.
            pub fn from_vec(device: &Device, shape: Shape<$rank>, values: Vec<T>) -> Result<Self> {
                Self::from_slice(device, shape, &values)
            }

            /// From values in row-major order.
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if there are more or fewer values than the shape has places.
            pub fn from_slice(device: &Device, shape: Shape<$rank>, values: &[T]) -> Result<Self> {
                Self::from_values(device, Rank::<$rank>::extents(shape), values)
            }
        }
    )+};
}

ranks!(2, 3, 4, 5, 6, 7, 8);

impl<T: Element, const N: usize> Clone for Array<T, N> {
    fn clone(&self) -> Self {
        Array {
            device: self.device.clone(),
            extents: self.extents,
            leaves: self.leaves.clone(),
            status: self.status.clone(),
            element: PhantomData,
        }
    }
}

/// Tells the type, shape and device; the elements may not be computed yet.
impl<T: Element, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let element = std::any::type_name::<T>();
        write!(
            f,
            "Array<{element}, {N}> {:?} on {}",
            self.extents, self.device
        )
    }
}

/// Tuples of vectors, one for each component of an element: what [`Vector::from_columns`] takes.
pub trait Columns {
    /// The element they make.
    type Element: Element;

    /// The common length, and one buffer for each leaf.
    #[doc(hidden)]
    fn columns(self) -> Result<(usize, Vec<Buffer>)>;
}

macro_rules! columns {
    ($($($name:ident $at:tt),+;)+) => {$(
        impl<$($name: Element),+> Columns for ($(Vec<$name>,)+) {
            type Element = ($($name,)+);

            fn columns(self) -> Result<(usize, Vec<Buffer>)> {
                let lens = [$(self.$at.len()),+];
                if lens.iter().any(|&len| len != lens[0]) {
                    return Err(Error::shape(format!("columns of lengths {lens:?}")));
                }
                let mut leaves = Vec::new();
                $(leaves.extend(columns_of(&self.$at)?);)+
                Ok((lens[0], leaves))
            }
        }
    )+};
}

columns! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_send_and_sync() {
        fn check<T: Send + Sync>() {}
        check::<Matrix<(f32, bool)>>();
    }

    #[test]
    fn elements_come_back_as_they_went() {
        let device = Device::cpu();
        let values: Vec<(f32, (u8, bool), i64)> = (0..100)
            .map(|k| (k as f32, (k as u8, k % 3 == 0), -k))
            .collect();
        let xs = Vector::from_slice(&device, &values).unwrap();
        assert_eq!(xs.to_vec().unwrap(), values);
        assert_eq!(xs.get(7).unwrap(), values[7]);
        assert_eq!(xs.clone().to_device(&device).unwrap().len(), 100);
        let empty = Vector::<(f32, u8)>::from_vec(&device, Vec::new()).unwrap();
        assert_eq!(empty.to_vec().unwrap(), []);
        assert_eq!(
            Scalar::from_value(&device, 7u16).unwrap().value().unwrap(),
            7
        );
    }

    #[test]
    fn wrong_counts_and_indices_are_errors() {
        let device = Device::cpu();
        let error = Matrix::from_vec(&device, (2, 3), vec![0; 5]).unwrap_err();
        assert_eq!(error.to_string(), "5 values do not fill the shape [2, 3]");
        let m = Matrix::from_vec(&device, (2, 3), vec![0; 6]).unwrap();
        let error = m.get((1, 3)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "index (1, 3) of an array of shape (2, 3)"
        );
        let error = Vector::from_columns(&device, (vec![1], vec![1, 2])).unwrap_err();
        assert_eq!(error.to_string(), "columns of lengths [1, 2]");
        let huge = Cube::<u8>::from_fn(&device, (usize::MAX, 2, 1), |_| 0);
        assert!(matches!(huge, Err(Error::OutOfMemory { .. })));
    }
}
