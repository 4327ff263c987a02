//! Arguments and results without their types: what lets one test call every program.

use accelerate::{Array, Device, Element, Rank, Result};
use accelerate_compiler::ir::eval;
use accelerate_compiler::scalar::{Leaf, Scalar};
use std::collections::VecDeque;

/// One leaf of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// `None` for a scalar.
    pub shape: Option<Vec<u64>>,
    /// Row-major.
    pub values: Vec<Scalar>,
}

/// The arguments of a call, taken from the front.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Arguments {
    /// Leaves of the scalar parameters.
    pub scalars: VecDeque<Scalar>,
    /// Array parameters.
    pub arrays: VecDeque<eval::Array>,
}

/// An array of some rank, as drivers pass and receive it.
pub trait Ranked: Sized {
    /// Takes an array argument.
    fn take(device: &Device, arguments: &mut Arguments) -> Result<Self>;

    /// Appends the leaves of a result.
    fn put(self, columns: &mut Vec<Column>) -> Result<()>;
}

/// Takes a scalar argument.
pub fn take_scalar<T: Element>(arguments: &mut Arguments) -> T {
    let leaves: Vec<Vec<Scalar>> = arguments
        .scalars
        .drain(..T::LEAVES)
        .map(|leaf| vec![leaf])
        .collect();
    join::<T>(&leaves, 1)[0]
}

/// Appends the leaves of a scalar result.
pub fn put_scalar<T: Element>(value: T, columns: &mut Vec<Column>) {
    columns.extend(split(&[value]).into_iter().map(|values| Column {
        shape: None,
        values,
    }));
}

impl<T: Element, const N: usize> Ranked for Array<T, N>
where
    Rank<N>: accelerate::Ranked<N>,
{
    fn take(device: &Device, arguments: &mut Arguments) -> Result<Self> {
        let array = arguments.arrays.pop_front().expect("an array argument");
        let count = array.extents.iter().product::<u64>() as usize;
        let extents: Vec<usize> = array
            .extents
            .iter()
            .map(|&extent| extent as usize)
            .collect();
        let extents = <[usize; N]>::try_from(extents).expect("an argument of this rank");
        let shape = <Rank<N> as accelerate::Ranked<N>>::shape(extents);
        Array::from_shape_vec(device, shape, join::<T>(&array.leaves, count))
    }

    fn put(self, columns: &mut Vec<Column>) -> Result<()> {
        let values = self.to_vec()?;
        let extents = <Rank<N> as accelerate::Ranked<N>>::extents(self.shape());
        assert_eq!(
            values.len(),
            extents.iter().product::<usize>(),
            "a result fits its shape"
        );
        let shape: Vec<u64> = extents.iter().map(|&extent| extent as u64).collect();
        let leaves = split(&values).into_iter();
        columns.extend(leaves.map(|values| Column {
            shape: Some(shape.clone()),
            values,
        }));
        Ok(())
    }
}

fn leaf_of(leaf: accelerate::rt::Leaf) -> Leaf {
    Leaf::ALL[leaf as usize]
}

/// Elements from their leaves.
fn join<T: Element>(leaves: &[Vec<Scalar>], count: usize) -> Vec<T> {
    let memory: Vec<Vec<u64>> = leaves
        .iter()
        .map(|values| {
            let mut bytes: Vec<u8> = values
                .iter()
                .flat_map(|scalar| scalar.bits.to_le_bytes()[..scalar.leaf.bytes()].to_vec())
                .collect();
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            bytes
                .chunks_exact(8)
                .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
                .collect()
        })
        .collect();
    let columns: Vec<*const u8> = memory.iter().map(|column| column.as_ptr().cast()).collect();
    // SAFETY: one column per leaf, aligned for 8 bytes, holding `count` values of the leaf's type.
    (0..count)
        .map(|k| unsafe { T::read(columns.as_ptr(), k) })
        .collect()
}

/// The leaves of elements.
fn split<T: Element>(elements: &[T]) -> Vec<Vec<Scalar>> {
    let mut memory: Vec<Vec<u64>> = (0..T::LEAVES)
        .map(|_| vec![0; elements.len().max(1)])
        .collect();
    let columns: Vec<*mut u8> = memory
        .iter_mut()
        .map(|column| column.as_mut_ptr().cast())
        .collect();
    for (k, &element) in elements.iter().enumerate() {
        // SAFETY: one column per leaf, aligned for and long enough for elements of 8 bytes.
        unsafe { element.write(columns.as_ptr(), k) };
    }
    let scalars = |(k, column): (usize, &Vec<u64>)| {
        let leaf = leaf_of(T::leaf(k));
        let bytes: Vec<u8> = column.iter().flat_map(|word| word.to_le_bytes()).collect();
        let value = |chunk: &[u8]| {
            chunk
                .iter()
                .rev()
                .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
        };
        let values = bytes.chunks_exact(leaf.bytes()).take(elements.len());
        values
            .map(|chunk| Scalar {
                leaf,
                bits: value(chunk),
            })
            .collect()
    };
    memory.iter().enumerate().map(scalars).collect()
}
