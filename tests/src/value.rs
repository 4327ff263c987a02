//! Arguments and results without their types: what lets one test call every program.

use accelerate::{Array, Device, Element, Rank, Result, Segmented};
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

/// An array, or segments, as drivers pass and receive them.
pub trait Argument: Sized {
    /// Takes an argument.
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

/// The elements and the offsets, which nobody has looked at: that is the program's affair.
impl<T: Element> Argument for Segmented<T> {
    fn take(device: &Device, arguments: &mut Arguments) -> Result<Self> {
        let values = Argument::take(device, arguments)?;
        Ok(accelerate::rt::segmented(
            values,
            Argument::take(device, arguments)?,
        ))
    }

    fn put(self, columns: &mut Vec<Column>) -> Result<()> {
        self.values().clone().put(columns)?;
        self.offsets().clone().put(columns)
    }
}

impl<T: Element, const N: usize> Argument for Array<T, N>
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
    let memory: Vec<Vec<u64>> = leaves.iter().map(|values| packed(values)).collect();
    let columns: Vec<*const u8> = memory.iter().map(|column| column.as_ptr().cast()).collect();
    let mut elements = Vec::with_capacity(count);
    for k in 0..count {
        // SAFETY: one column per leaf, aligned for 8 bytes, holding `count` values of the leaf's type.
        elements.push(unsafe { T::read(columns.as_ptr(), k) });
    }
    elements
}

/// The leaves of elements.
fn split<T: Element>(elements: &[T]) -> Vec<Vec<Scalar>> {
    let mut memory = vec![vec![0u64; elements.len().max(1)]; T::LEAVES];
    let columns: Vec<*mut u8> = memory
        .iter_mut()
        .map(|column| column.as_mut_ptr().cast())
        .collect();
    for (k, &element) in elements.iter().enumerate() {
        // SAFETY: one column per leaf, aligned for and long enough for elements of 8 bytes.
        unsafe { element.write(columns.as_ptr(), k) };
    }
    let leaves = memory.iter().enumerate();
    leaves
        .map(|(k, column)| unpacked(column, leaf_of(T::leaf(k)), elements.len()))
        .collect()
}

/// Where the value `k` of so many bytes (a power of two) lies: the word, and the bit in it.
fn place(k: usize, bytes: usize) -> (usize, usize) {
    (k * bytes / 8, k * bytes % 8 * 8)
}

/// The low bits that are the value.
fn mask(bytes: usize) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// Values beside each other, as in little-endian memory. Most of the suite's conversions are these two loops: they use
/// nothing that is not compiled here, optimised.
fn packed(values: &[Scalar]) -> Vec<u64> {
    let bytes = values.first().map_or(1, |value| value.leaf.bytes());
    let mut words = vec![0u64; (values.len() * bytes).div_ceil(8)];
    for (k, value) in values.iter().enumerate() {
        let (word, bit) = place(k, bytes);
        words[word] |= (value.bits & mask(bytes)) << bit;
    }
    words
}

fn unpacked(words: &[u64], leaf: Leaf, count: usize) -> Vec<Scalar> {
    let bytes = leaf.bytes();
    let mut values = Vec::with_capacity(count);
    for k in 0..count {
        let (word, bit) = place(k, bytes);
        values.push(Scalar {
            leaf,
            bits: words[word] >> bit & mask(bytes),
        });
    }
    values
}
