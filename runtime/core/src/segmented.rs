//! Vectors of any lengths, one after the other.

use crate::array::Vector;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use std::fmt;

/// Vectors of any lengths in one: their elements, and where each begins and the last one ends.
///
/// ```
/// use accelerate::{accelerate, Device, Segmented};
///
/// accelerate! {
///     pub fn normalized(rows: &Segmented<f32>) -> Segmented<f32> {
///         rows.map_segments(|row| {
///             let sum = row.sum();
///             row.map(|x| x / sum)
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let rows = Segmented::from_vecs(&device, &[vec![1.0f32, 3.0], vec![], vec![5.0]])?;
/// assert_eq!(rows.len(), 3);
/// let result = normalized(&device, &rows)?;
/// assert_eq!(result.to_vecs()?, [vec![0.25, 0.75], vec![], vec![1.0]]);
/// # Ok::<(), accelerate::Error>(())
/// ```
pub struct Segmented<T: Element> {
    values: Vector<T>,
    offsets: Vector<usize>,
}

impl<T: Element> Segmented<T> {
    /// From elements and offsets, of which there is one more than segments: from 0 to the number of elements, each where
    /// a segment ends and the next one begins. Waits for the offsets.
    ///
    /// # Errors
    /// [`Error::SegmentMismatch`] if the offsets are no segments of the values; if a call that they depend on has failed.
    pub fn new(values: Vector<T>, offsets: Vector<usize>) -> Result<Self> {
        let offsets_here = offsets.to_device(values.device())?;
        let ends = offsets_here.to_vec()?;
        let whole = ends.first() == Some(&0) && ends.last() == Some(&values.len());
        if !whole || !ends.is_sorted() {
            return Err(Error::SegmentMismatch {
                place: None,
                message: format!(
                    "offsets are no segments of {} values: they go from 0 to that, and never back",
                    values.len()
                ),
            });
        }
        Ok(Self::of(values, offsets_here))
    }

    /// From one vector for each segment.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn from_vecs<S: AsRef<[T]>>(device: &Device, segments: &[S]) -> Result<Self> {
        let mut values = Vec::new();
        let mut offsets = vec![0];
        for segment in segments {
            values.extend_from_slice(segment.as_ref());
            offsets.push(values.len());
        }
        Ok(Self::of(
            Vector::from_vec(device, values)?,
            Vector::from_vec(device, offsets)?,
        ))
    }

    /// From offsets that are those of the values.
    pub(crate) fn of(values: Vector<T>, offsets: Vector<usize>) -> Self {
        Segmented { values, offsets }
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no segments.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of all segments, one segment after the other.
    pub fn values(&self) -> &Vector<T> {
        &self.values
    }

    /// Where each segment begins, and the last one ends.
    pub fn offsets(&self) -> &Vector<usize> {
        &self.offsets
    }

    /// The device that holds them.
    pub fn device(&self) -> &Device {
        self.values.device()
    }

    /// Waits for what computes them, and copies the segments to the host.
    ///
    /// # Errors
    /// If a call that they depend on has failed.
    pub fn to_vecs(&self) -> Result<Vec<Vec<T>>> {
        let (values, offsets) = (self.values.to_vec()?, self.offsets.to_vec()?);
        let segments = offsets.windows(2);
        Ok(segments.map(|at| values[at[0]..at[1]].to_vec()).collect())
    }

    /// The same segments on another device (or this one: then nothing is copied).
    ///
    /// # Errors
    /// If a call that they depend on has failed, or there is not enough memory.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        Ok(Self::of(
            self.values.to_device(device)?,
            self.offsets.to_device(device)?,
        ))
    }
}

impl<T: Element> Clone for Segmented<T> {
    fn clone(&self) -> Self {
        Self::of(self.values.clone(), self.offsets.clone())
    }
}

/// Tells the type, the numbers of segments and elements, and the device; the elements may not be computed yet.
impl<T: Element> fmt::Debug for Segmented<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let element = std::any::type_name::<T>();
        write!(
            f,
            "Segmented<{element}> of {} in {} on {}",
            self.values.len(),
            self.len(),
            self.device()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_come_back_as_they_were() -> Result<()> {
        let segments = [vec![(1, true), (2, false)], vec![], vec![(3, true)], vec![]];
        let all = Segmented::from_vecs(&Device::cpu(), &segments)?;
        assert_eq!(all.offsets().to_vec()?, [0, 2, 2, 3, 3]);
        assert_eq!(all.to_vecs()?, segments);
        let none = Segmented::<f32>::from_vecs::<Vec<f32>>(&Device::cpu(), &[])?;
        assert!(none.is_empty() && none.to_vecs()?.is_empty());
        Ok(())
    }

    #[test]
    fn offsets_are_those_of_the_values() -> Result<()> {
        let device = Device::cpu();
        let values = Vector::from_vec(&device, vec![1, 2, 3])?;
        let with = |offsets: Vec<usize>| {
            Segmented::new(values.clone(), Vector::from_vec(&device, offsets)?)
        };
        assert_eq!(with(vec![0, 1, 1, 3])?.len(), 3);
        for wrong in [vec![], vec![0], vec![1, 3], vec![0, 4], vec![0, 2, 1, 3]] {
            assert!(matches!(with(wrong), Err(Error::SegmentMismatch { .. })));
        }
        Ok(())
    }
}
