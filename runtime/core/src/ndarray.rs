//! Arrays from views of ndarray, and to its arrays: the feature `ndarray`.

use crate::array::Array;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use ::ndarray::{Array as OnHost, ArrayView, Dim, Dimension};

/// With the feature `ndarray`: ranks 0 to 6.
impl<T: Element, const N: usize> Array<T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// From the elements of a view, in their logical order: of an array (`&a`), a slice of one, a transposed or reversed one. What lies
    /// in standard layout is copied as a whole.
    ///
    /// ```
    /// use accelerate::{Device, Matrix};
    /// use ndarray::array;
    ///
    /// let device = Device::cpu();
    /// let a = array![[1, 2, 3], [4, 5, 6]];
    /// let m = Matrix::from_ndarray(&device, &a)?;
    /// assert_eq!(m.shape(), (2, 3));
    /// let transposed = Matrix::from_ndarray(&device, a.t())?;
    /// assert_eq!(transposed.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), accelerate::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_ndarray<'a>(
        device: &Device,
        view: impl Into<ArrayView<'a, T, Dim<[usize; N]>>>,
    ) -> Result<Self> {
        let view = view.into();
        let extents = std::array::from_fn(|axis| view.shape()[axis]);
        match view.as_slice() {
            Some(values) => Self::from_values(device, extents, values),
            None => {
                let values: Vec<T> = view.iter().copied().collect();
                Self::from_values(device, extents, &values)
            }
        }
    }

    /// Waits for what computes it, and copies the elements to an array of the host, in standard layout.
    ///
    /// ```
    /// use accelerate::{Device, Vector, accelerate};
    /// use ndarray::{Array1, array};
    ///
    /// accelerate! {
    ///     pub fn halves(xs: &Vector<f32>) -> Vector<(f32, bool)> {
    ///         xs.map(|x| (0.5 * x, x > 2.0))
    ///     }
    /// }
    ///
    /// let device = Device::best()?;
    /// let xs = Vector::from_ndarray(&device, &array![1.0, 3.0])?;
    /// let halves: Array1<(f32, bool)> = halves(&device, &xs)?.to_ndarray()?;
    /// assert_eq!(halves, array![(0.5, false), (1.5, true)]);
    /// # Ok::<(), accelerate::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a call that it depends on has failed.
    pub fn to_ndarray(&self) -> Result<OnHost<T, Dim<[usize; N]>>> {
        let mut shape = Dim::<[usize; N]>::zeros(N);
        shape.slice_mut().copy_from_slice(self.extents());
        // It refuses some arrays without elements.
        OnHost::from_shape_vec(shape, self.to_vec()?)
            .map_err(|error| Error::shape(format!("the shape {:?}: {error}", self.extents())))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Array, Cube, Device, Error, Matrix, Result, Scalar, Vector};
    use ::ndarray::{Array0, Array1, Array2, Array3, ArrayD, Ix6, arr0, array, s};

    #[test]
    fn arrays_come_back_as_they_went() -> Result<()> {
        let device = Device::cpu();
        let empty = Array2::<f32>::zeros((3, 0));
        assert_eq!(Matrix::from_ndarray(&device, &empty)?.to_ndarray()?, empty);
        let one: Array0<u8> = arr0(7);
        let scalar = Scalar::from_ndarray(&device, &one)?;
        assert_eq!(scalar.value(), Ok(7));
        assert_eq!(scalar.to_ndarray()?, one);
        let pairs = array![(1.5, (true, 1u8)), (2.5, (false, 2))];
        let there = Vector::from_ndarray(&device, pairs.view())?;
        assert_eq!(there.get(1)?, (2.5, (false, 2)));
        assert_eq!(there.to_ndarray()?, pairs);
        let six =
            ArrayD::from_shape_fn(&[1, 2, 1, 3, 2, 1][..], |at| at[1] + 2 * at[3] + 6 * at[4]);
        let six = six.into_dimensionality::<Ix6>().expect("six axes");
        let there = Array::<_, 6>::from_ndarray(&device, &six)?;
        assert_eq!(there.get((0, 1, 0, 2, 1, 0))?, 11);
        assert_eq!(there.to_ndarray()?, six);
        Ok(())
    }

    #[test]
    fn elements_of_views_are_in_logical_order() -> Result<()> {
        let device = Device::cpu();
        let a = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i, 10 * j as u8 + k as u8));
        let cube = |view: ::ndarray::ArrayView3<(usize, u8)>| {
            let expected: Vec<(usize, u8)> = view.iter().copied().collect();
            let there = Cube::from_ndarray(&device, view)?;
            assert_eq!(there.shape(), view.dim());
            assert_eq!(there.to_vec()?, expected);
            assert_eq!(there.to_ndarray()?, view);
            Ok::<_, Error>(there)
        };
        assert_eq!(cube(a.view())?.get((1, 2, 3))?, (1, 23));
        assert_eq!(cube(a.t())?.get((3, 2, 1))?, (1, 23));
        assert_eq!(
            cube(a.slice(s![..;-1, .., ..;-1]))?.get((0, 2, 0))?,
            (1, 23)
        );
        assert_eq!(
            cube(a.slice(s![1.., ..;2, 1..;2]))?.get((0, 1, 1))?,
            (1, 23)
        );
        // In standard layout, but for where it begins and ends.
        assert_eq!(cube(a.slice(s![1.., .., ..]))?.get((0, 0, 1))?, (1, 1));
        assert!(cube(a.slice(s![.., 1..1, ..]))?.is_empty());
        let repeated = array![[1, 2]];
        let repeated = repeated.broadcast((2, 2)).expect("it can be");
        assert_eq!(
            Matrix::from_ndarray(&device, repeated)?.to_vec()?,
            [1, 2, 1, 2]
        );
        let reversed: Array1<i64> = (0..5).collect();
        let there = Vector::from_ndarray(&device, reversed.slice(s![..;-2]))?;
        assert_eq!(there.to_vec()?, [4, 2, 0]);
        assert_eq!(Vector::from_ndarray(&device, &[1u16, 2])?.to_vec()?, [1, 2]);
        Ok(())
    }

    #[test]
    fn a_shape_that_ndarray_refuses_is_an_error() -> Result<()> {
        let huge = (1 << 40, 0, 1 << 40);
        let empty = Cube::<u8>::from_vec(&Device::cpu(), huge, Vec::new())?;
        assert!(matches!(
            empty.to_ndarray(),
            Err(Error::ShapeMismatch { .. })
        ));
        Ok(())
    }
}
