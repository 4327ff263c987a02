//! Vectors of lanes: one value of a kernel's body for several neighbouring elements at once.
//!
//! An instruction set is a [`Lanes`]: one number of lanes for every leaf type, so that a mask made by comparing one
//! type selects any other. A kernel's body is written once, over `L: Lanes`, in named `#[inline(always)]` functions,
//! and instantiated inside one `#[target_feature]` function per instruction set. [`One`] is a single lane: its vectors
//! are Rust's own scalars, so values that all lanes share are computed by the same methods.
//!
//! Every operation but the math functions gives the same bits on every instruction set, and those of Rust's scalars.
//! The default methods go lane by lane; instruction sets override the hot ones.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_integers;
#[cfg(target_arch = "x86_64")]
mod avx2_memory;
#[cfg(target_arch = "x86_64")]
mod avx2_narrow;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_integers;
#[cfg(target_arch = "x86_64")]
mod avx512_memory;
#[cfg(target_arch = "x86_64")]
mod avx512_narrow;
mod element;
mod half;
mod narrow;
mod one;
mod order;
mod portable;
mod range;
#[cfg(test)]
mod tests;
mod types;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use element::{As, Element};
pub use one::One;
pub use order::{Ahead, Before, Dealt, High, Low, Middle, Order};
pub use portable::{Portable, Simd};
pub use range::{
    all_at_least, all_at_most, all_less, bitcast, gather, less, less_or_equal, progression,
    quotient, remainder,
};
pub use types::{Cast, Casts, Float, Integer, Mask, Number, Value};

/// The most lanes of any instruction set, and the number of virtual lanes of a reduction.
pub const VIRTUAL: usize = 32;

/// The leaf types, each with its vector on every instruction set.
pub trait Leaf: Copy + Send + Sync + 'static {
    /// Its vector.
    type Of<L: Lanes>: Value<L = L, T = Self>;
    /// All bits zero.
    const ZERO: Self;
}

macro_rules! leaves {
    ($($leaf:ty: $vector:ident = $zero:expr),*) => {$(
        impl Leaf for $leaf {
            type Of<L: Lanes> = L::$vector;
            const ZERO: Self = $zero;
        }
    )*};
}

leaves!(bool: Mask = false, i8: I8 = 0, i16: I16 = 0, i32: I32 = 0, i64: I64 = 0, u8: U8 = 0, u16: U16 = 0, u32: U32 = 0, u64: U64 = 0,
    f32: F32 = 0.0, f64: F64 = 0.0);

/// Puts what this thread has streamed before all that it writes from now on.
#[inline(always)]
pub(crate) fn settle() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// An instruction set: a number of lanes and a vector for each leaf type.
#[expect(missing_docs, reason = "the vectors are named by their leaf types")]
pub trait Lanes: Copy + Send + Sync + 'static + crate::math::Functions {
    /// The number of lanes; divides [`VIRTUAL`].
    const W: usize;
    /// Vectors that make up the virtual lanes.
    const GROUPS: usize = VIRTUAL / Self::W;
    /// That many values.
    type Group<V: Copy>: Copy + AsRef<[V]> + AsMut<[V]>;
    /// `GROUPS` copies of `value`.
    fn group<V: Copy>(value: V) -> Self::Group<V>;
    /// Bytes that [`Lanes::stream`] copies; zero if there is no such thing.
    const STREAMED: usize = 0;
    /// Copies so many bytes past the caches. In no order with what the thread writes besides, until it has called `settle`.
    ///
    /// # Safety
    /// `from` must be valid for them, and `to` too, at a multiple of so many bytes.
    unsafe fn stream(_from: *const u8, _to: *mut u8) {
        unreachable!("no bytes are streamed");
    }

    /// Of types that have no vector of their own: where elements of arrays are equal.
    #[inline(always)]
    fn array_eq<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Self::Mask {
        Value::from_lanes(|lane| a[lane] == b[lane])
    }
    #[inline(always)]
    fn array_lt<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Self::Mask {
        Value::from_lanes(|lane| a[lane] < b[lane])
    }
    #[inline(always)]
    fn array_le<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Self::Mask {
        Value::from_lanes(|lane| a[lane] <= b[lane])
    }
    #[inline(always)]
    fn array_min<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        std::array::from_fn(|lane| a[lane].least(b[lane]))
    }
    #[inline(always)]
    fn array_max<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        std::array::from_fn(|lane| a[lane].greatest(b[lane]))
    }
    #[inline(always)]
    fn array_binary<O: narrow::Binary, T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        std::array::from_fn(|lane| O::of_lane(a[lane], b[lane]))
    }
    #[inline(always)]
    fn array_shifted<const LEFT: bool, T: Element, const N: usize>(
        x: [T; N],
        by: Self::U32,
    ) -> [T; N] {
        std::array::from_fn(|lane| match LEFT {
            true => x[lane].left(by.lane(lane)),
            false => x[lane].right(by.lane(lane)),
        })
    }
    /// `a` where `mask` holds, else `b`.
    #[inline(always)]
    fn array_select<T: Leaf, const N: usize>(mask: Self::Mask, a: [T; N], b: [T; N]) -> [T; N] {
        std::array::from_fn(|lane| match mask.lane(lane) {
            true => a[lane],
            false => b[lane],
        })
    }

    /// Floats of 16 bits, which are their bits, exactly as `f32`.
    #[inline(always)]
    fn f32_from_f16(x: Self::U16) -> Self::F32 {
        half::f32_from_f16::<Self>(x)
    }
    /// To the nearest, of two as near the even one; every NaN is 0x7e00.
    #[inline(always)]
    fn f16_from_f32(x: Self::F32) -> Self::U16 {
        half::f16_from_f32::<Self>(x)
    }
    /// As [`Lanes::f32_from_f16`], of the upper halves of `f32`.
    #[inline(always)]
    fn f32_from_bf16(x: Self::U16) -> Self::F32 {
        half::f32_from_bf16::<Self>(x)
    }
    /// As [`Lanes::f16_from_f32`]; every NaN is 0x7fc0.
    #[inline(always)]
    fn bf16_from_f32(x: Self::F32) -> Self::U16 {
        half::bf16_from_f32::<Self>(x)
    }

    type Mask: Mask<L = Self, T = bool>;
    type F32: Float<L = Self, T = f32> + Casts<Self>;
    type F64: Float<L = Self, T = f64> + Casts<Self>;
    type I8: Integer<L = Self, T = i8> + Casts<Self>;
    type I16: Integer<L = Self, T = i16> + Casts<Self>;
    type I32: Integer<L = Self, T = i32> + Casts<Self>;
    type I64: Integer<L = Self, T = i64> + Casts<Self>;
    type U8: Integer<L = Self, T = u8> + Casts<Self>;
    type U16: Integer<L = Self, T = u16> + Casts<Self>;
    type U32: Integer<L = Self, T = u32> + Casts<Self>;
    type U64: Integer<L = Self, T = u64> + Casts<Self>;
}
