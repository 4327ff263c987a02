//! Elements: what an array holds. A tuple or struct is stored as one column per leaf field.

use half::{bf16, f16};
use std::fmt::Debug;

/// The type of one leaf of an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are Rust's")]
pub enum Leaf {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Leaf {
    /// Size in memory.
    pub const fn bytes(self) -> usize {
        match self {
            Leaf::Bool | Leaf::I8 | Leaf::U8 => 1,
            Leaf::I16 | Leaf::U16 | Leaf::F16 | Leaf::Bf16 => 2,
            Leaf::I32 | Leaf::U32 | Leaf::F32 => 4,
            Leaf::I64 | Leaf::U64 | Leaf::F64 => 8,
        }
    }
}

/// A type that arrays can hold: scalars, tuples of up to twelve elements, fixed arrays, options, structs and enums of an
/// `accelerate!` block.
///
/// # Safety
/// `write` and `read` touch element `index` of the columns `0..LEAVES` only, each as the type that `leaf` names, and
/// `read` gives back what `write` stored.
pub unsafe trait Element: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The number of leaf fields.
    #[doc(hidden)]
    const LEAVES: usize;

    /// Whether a value in memory looks exactly like its only leaf.
    #[doc(hidden)]
    const PLAIN: bool = false;

    /// The type of a leaf field.
    #[doc(hidden)]
    fn leaf(k: usize) -> Leaf;

    /// Stores the leaf fields at `index` of each column.
    ///
    /// # Safety
    /// There are `LEAVES` columns, aligned and long enough.
    #[doc(hidden)]
    unsafe fn write(self, columns: *const *mut u8, index: usize);

    /// Loads the leaf fields at `index` of each column.
    ///
    /// # Safety
    /// There are `LEAVES` columns, aligned, long enough and initialised by `write` or a kernel.
    #[doc(hidden)]
    unsafe fn read(columns: *const *const u8, index: usize) -> Self;
}

macro_rules! scalars {
    ($($ty:ident: $leaf:ident as $stored:ident),+ $(,)?) => {$(
        // SAFETY: one leaf, stored as itself.
        unsafe impl Element for $ty {
            const LEAVES: usize = 1;
            const PLAIN: bool = true;

            fn leaf(_: usize) -> Leaf {
                Leaf::$leaf
            }

            #[inline(always)]
            unsafe fn write(self, columns: *const *mut u8, index: usize) {
                // SAFETY: by contract.
                unsafe { (*columns).cast::<$ty>().add(index).write(self) }
            }

            #[inline(always)]
            unsafe fn read(columns: *const *const u8, index: usize) -> Self {
                // SAFETY: by contract.
                unsafe { (*columns).cast::<$ty>().add(index).read() }
            }
        }
        const _: () = assert!(size_of::<$ty>() == size_of::<$stored>());
    )+};
}

scalars! {
    bool: Bool as u8, i8: I8 as i8, i16: I16 as i16, i32: I32 as i32, i64: I64 as i64, u8: U8 as u8, u16: U16 as u16,
    u32: U32 as u32, u64: U64 as u64, f16: F16 as u16, bf16: Bf16 as u16, f32: F32 as f32, f64: F64 as f64, usize: U64 as u64, isize: I64 as i64,
}

// SAFETY: one leaf, its number.
unsafe impl Element for char {
    const LEAVES: usize = 1;

    fn leaf(_: usize) -> Leaf {
        Leaf::U32
    }

    #[inline(always)]
    unsafe fn write(self, columns: *const *mut u8, index: usize) {
        // SAFETY: by contract.
        unsafe { u32::from(self).write(columns, index) }
    }

    #[inline(always)]
    unsafe fn read(columns: *const *const u8, index: usize) -> Self {
        // SAFETY: by contract.
        let number = unsafe { u32::read(columns, index) };
        char::from_u32(number).unwrap_or_default()
    }
}

// SAFETY: each element is given its own columns.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const LEAVES: usize = N * T::LEAVES;

    fn leaf(k: usize) -> Leaf {
        T::leaf(k % T::LEAVES)
    }

    #[inline(always)]
    unsafe fn write(self, columns: *const *mut u8, index: usize) {
        for (k, value) in self.into_iter().enumerate() {
            // SAFETY: by contract; the columns are counted off.
            unsafe { value.write(columns.add(k * T::LEAVES), index) };
        }
    }

    #[inline(always)]
    unsafe fn read(columns: *const *const u8, index: usize) -> Self {
        // SAFETY: by contract; the columns are counted off.
        std::array::from_fn(|k| unsafe { T::read(columns.add(k * T::LEAVES), index) })
    }
}

// SAFETY: whether there is a value has a column, and the value's leaves their own.
unsafe impl<T: Element> Element for Option<T> {
    const LEAVES: usize = 1 + T::LEAVES;

    fn leaf(k: usize) -> Leaf {
        match k {
            0 => Leaf::Bool,
            k => T::leaf(k - 1),
        }
    }

    #[inline(always)]
    unsafe fn write(self, columns: *const *mut u8, index: usize) {
        // SAFETY: by contract; the columns are counted off.
        unsafe {
            self.is_some().write(columns, index);
            match self {
                Some(value) => value.write(columns.add(1), index),
                // Programs compare and order the leaves.
                None => (0..T::LEAVES).for_each(|k| {
                    let bytes = T::leaf(k).bytes();
                    let column = *columns.add(1 + k);
                    column.add(index * bytes).write_bytes(0, bytes);
                }),
            }
        }
    }

    #[inline(always)]
    unsafe fn read(columns: *const *const u8, index: usize) -> Self {
        // SAFETY: by contract; the columns are counted off.
        unsafe { bool::read(columns, index).then(|| T::read(columns.add(1), index)) }
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),+;)+) => {$(
        // SAFETY: each component is given its own columns.
        unsafe impl<$($name: Element),+> Element for ($($name,)+) {
            const LEAVES: usize = 0 $(+ $name::LEAVES)+;

            #[allow(unused_assignments, reason = "the last step of some repetitions")]
            fn leaf(mut k: usize) -> Leaf {
                $(
                    if k < $name::LEAVES {
                        return $name::leaf(k);
                    }
                    k -= $name::LEAVES;
                )+
                unreachable!("a tuple has no such leaf")
            }

            #[allow(unused_assignments, reason = "the last step of some repetitions")]
            #[inline(always)]
            unsafe fn write(self, mut columns: *const *mut u8, index: usize) {
                $(
                    // SAFETY: by contract; the columns are counted off.
                    unsafe {
                        self.$at.write(columns, index);
                        columns = columns.add($name::LEAVES);
                    }
                )+
            }

            #[allow(unused_assignments, reason = "the last step of some repetitions")]
            #[inline(always)]
            unsafe fn read(mut columns: *const *const u8, index: usize) -> Self {
                ($({
                    // SAFETY: by contract; the columns are counted off.
                    unsafe {
                        let value = $name::read(columns, index);
                        columns = columns.add($name::LEAVES);
                        value
                    }
                },)+)
            }
        }
    )+};
}

tuples! {
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

/// The types of an element's leaves.
pub(crate) fn leaves<T: Element>() -> impl Iterator<Item = Leaf> {
    (0..T::LEAVES).map(T::leaf)
}

/// Splits values into columns.
///
/// # Safety
/// There are `T::LEAVES` columns, aligned, of at least `values.len()` elements.
pub(crate) unsafe fn split<T: Element>(values: &[T], columns: &[*mut u8]) {
    assert_eq!(columns.len(), T::LEAVES);
    if T::PLAIN {
        // SAFETY: a plain value is its only leaf.
        unsafe {
            columns[0]
                .cast::<T>()
                .copy_from_nonoverlapping(values.as_ptr(), values.len());
        }
        return;
    }
    for (index, value) in values.iter().enumerate() {
        // SAFETY: by contract.
        unsafe { value.write(columns.as_ptr(), index) };
    }
}

/// Joins columns to values.
///
/// # Safety
/// There are `T::LEAVES` columns, aligned, initialised, of at least `len` elements.
pub(crate) unsafe fn join<T: Element>(columns: &[*const u8], len: usize) -> Vec<T> {
    assert_eq!(columns.len(), T::LEAVES);
    let mut values = Vec::<T>::with_capacity(len);
    if T::PLAIN {
        // SAFETY: a plain value is its only leaf; the capacity suffices.
        unsafe {
            values
                .as_mut_ptr()
                .copy_from_nonoverlapping(columns[0].cast(), len);
            values.set_len(len);
        }
        return values;
    }
    // SAFETY: by contract.
    values.extend((0..len).map(|index| unsafe { T::read(columns.as_ptr(), index) }));
    values
}
