//! Arrays as vectors: the baseline of any machine, and the rare types of the others.
//!
//! Four lanes are one register of the x86-64 baseline and of NEON; the compiler's own vectoriser does the rest.

use super::narrow::{Add, And, Div, Mul, Or, Rem, Sub, Xor};
use super::{As, Cast, Element, Float, Integer, Lanes, Leaf, Mask, Number, VIRTUAL, Value};
use std::marker::PhantomData;

/// Four lanes of arrays.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const W: usize = 4;

/// A vector as an array.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Simd<T, L, const N: usize>(pub(super) [T; N], PhantomData<L>);

impl Lanes for Portable {
    const W: usize = W;
    type Group<V: Copy> = [V; VIRTUAL / W];
    #[inline(always)]
    fn group<V: Copy>(value: V) -> Self::Group<V> {
        [value; VIRTUAL / W]
    }
    type Mask = Simd<bool, Self, W>;
    type F32 = Simd<f32, Self, W>;
    type F64 = Simd<f64, Self, W>;
    type I8 = Simd<i8, Self, W>;
    type I16 = Simd<i16, Self, W>;
    type I32 = Simd<i32, Self, W>;
    type I64 = Simd<i64, Self, W>;
    type U8 = Simd<u8, Self, W>;
    type U16 = Simd<u16, Self, W>;
    type U32 = Simd<u32, Self, W>;
    type U64 = Simd<u64, Self, W>;
}

impl<T: Leaf, L: Lanes, const N: usize> Simd<T, L, N> {
    #[inline(always)]
    pub(super) fn new(lanes: [T; N]) -> Self {
        Simd(lanes, PhantomData)
    }
}

impl<T: Leaf, L: Lanes, const N: usize> Value for Simd<T, L, N> {
    type L = L;
    type T = T;
    #[inline(always)]
    fn splat(x: T) -> Self {
        Self::new([x; N])
    }
    #[inline(always)]
    fn from_lanes(lane: impl Fn(usize) -> T) -> Self {
        let mut lanes = [T::ZERO; N];
        if N == W {
            // Without a loop, which would have to be unrolled at every use.
            lanes[0] = lane(0);
            lanes[1] = lane(1);
            lanes[2] = lane(2);
            lanes[3] = lane(3);
        } else {
            for (at, x) in lanes.iter_mut().enumerate() {
                *x = lane(at);
            }
        }
        Self::new(lanes)
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> T {
        self.0[lane]
    }
    #[inline(always)]
    fn with_lane(mut self, lane: usize, x: T) -> Self {
        self.0[lane] = x;
        self
    }
    #[inline(always)]
    fn select(mask: L::Mask, a: Self, b: Self) -> Self {
        Self::new(L::array_select(mask, a.0, b.0))
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: by the caller's promise.
        Self::new(unsafe { from.cast::<[T; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: by the caller's promise.
        unsafe { to.cast::<[T; N]>().write_unaligned(self.0) }
    }
}

macro_rules! binary {
    ($($method:ident = $operation:ident;)*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            Self::new(L::array_binary::<$operation, _, N>(self.0, other.0))
        }
    )*};
}

impl<T: Element, L: Lanes, const N: usize> Number for Simd<T, L, N> {
    binary! {
        add = Add;
        sub = Sub;
        mul = Mul;
        div = Div;
        rem = Rem;
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::new(L::array_min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::new(L::array_max(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: Self) -> L::Mask {
        L::array_eq(self.0, other.0)
    }
    #[inline(always)]
    fn ne(self, other: Self) -> L::Mask {
        L::array_eq(self.0, other.0).not()
    }
    #[inline(always)]
    fn lt(self, other: Self) -> L::Mask {
        L::array_lt(self.0, other.0)
    }
    #[inline(always)]
    fn le(self, other: Self) -> L::Mask {
        L::array_le(self.0, other.0)
    }
}

macro_rules! integers {
    ($($ty:ident),*) => {$(
        impl<L: Lanes, const N: usize> Integer for Simd<$ty, L, N> {
            binary! {
                and = And;
                or = Or;
                xor = Xor;
            }
            #[inline(always)]
            fn not(self) -> Self {
                self.xor(Self::splat(!0))
            }
            #[inline(always)]
            fn shl(self, by: L::U32) -> Self {
                Self::new(L::array_shifted::<true, _, N>(self.0, by))
            }
            #[inline(always)]
            fn shr(self, by: L::U32) -> Self {
                Self::new(L::array_shifted::<false, _, N>(self.0, by))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl<L: Lanes, const N: usize> Float for Simd<f32, L, N> {}
impl<L: Lanes, const N: usize> Float for Simd<f64, L, N> {}

impl<A: Leaf + As<B>, B: Leaf, L: Lanes, const N: usize> Cast<Simd<B, L, N>> for Simd<A, L, N> {
    #[inline(always)]
    fn cast(self) -> Simd<B, L, N> {
        Simd::from_lanes(|lane| self.0[lane].to())
    }
}

impl Mask for Simd<bool, Portable, W> {
    #[inline(always)]
    fn first(count: usize) -> Self {
        Self::new([count > 0, count > 1, count > 2, count > 3])
    }
    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        Self::from_lanes(|lane| bits >> lane & 1 != 0)
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0[0] & self.0[1] & self.0[2] & self.0[3]
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::from_lanes(|lane| self.0[lane] & other.0[lane])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::from_lanes(|lane| self.0[lane] | other.0[lane])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::from_lanes(|lane| self.0[lane] ^ other.0[lane])
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self::from_lanes(|lane| !self.0[lane])
    }
    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        self.and(other.not())
    }
}
