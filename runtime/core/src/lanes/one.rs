//! A single lane, whose vectors are Rust's scalars.

use super::{As, Cast, Element, Float, Integer, Lanes, Mask, Number, VIRTUAL, Value};

/// A single lane.
#[derive(Clone, Copy, Debug)]
pub struct One;

impl Lanes for One {
    const W: usize = 1;
    type Group<V: Copy> = [V; VIRTUAL];
    #[inline(always)]
    fn group<V: Copy>(value: V) -> [V; VIRTUAL] {
        [value; VIRTUAL]
    }
    type Mask = bool;
    type F32 = f32;
    type F64 = f64;
    type I8 = i8;
    type I16 = i16;
    type I32 = i32;
    type I64 = i64;
    type U8 = u8;
    type U16 = u16;
    type U32 = u32;
    type U64 = u64;
}

macro_rules! values {
    ($($ty:ty),*) => {$(
        impl Value for $ty {
            type L = One;
            type T = $ty;
            #[inline(always)]
            fn splat(x: $ty) -> $ty { x }
            #[inline(always)]
            fn from_lanes(lane: impl Fn(usize) -> $ty) -> $ty { lane(0) }
            #[inline(always)]
            fn lane(self, _: usize) -> $ty { self }
            #[inline(always)]
            fn with_lane(self, _: usize, x: $ty) -> $ty { x }
            #[inline(always)]
            fn select(mask: bool, a: $ty, b: $ty) -> $ty { if mask { a } else { b } }
            #[inline(always)]
            unsafe fn load(from: *const $ty) -> $ty {
                // SAFETY: by the caller's promise.
                unsafe { *from }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $ty) {
                // SAFETY: by the caller's promise.
                unsafe { *to = self }
            }
        }
    )*};
}

values!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl Mask for bool {
    #[inline(always)]
    fn first(count: usize) -> bool {
        count > 0
    }
    #[inline(always)]
    fn of_bits(bits: u32) -> bool {
        bits & 1 != 0
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn and(self, other: bool) -> bool {
        self & other
    }
    #[inline(always)]
    fn or(self, other: bool) -> bool {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: bool) -> bool {
        self ^ other
    }
    #[inline(always)]
    fn not(self) -> bool {
        !self
    }
    #[inline(always)]
    fn but_not(self, other: bool) -> bool {
        self & !other
    }
}

macro_rules! numbers {
    ($kind:ident: $($ty:ident),*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn eq(self, other: $ty) -> bool { self == other }
            #[inline(always)]
            fn ne(self, other: $ty) -> bool { self != other }
            #[inline(always)]
            fn lt(self, other: $ty) -> bool { self < other }
            #[inline(always)]
            fn le(self, other: $ty) -> bool { self <= other }
            #[inline(always)]
            fn add(self, other: $ty) -> $ty { self.plus(other) }
            #[inline(always)]
            fn sub(self, other: $ty) -> $ty { self.minus(other) }
            #[inline(always)]
            fn mul(self, other: $ty) -> $ty { self.times(other) }
        }
        impl $kind for $ty {}
    )*};
}

numbers!(Integer: i8, i16, i32, i64, u8, u16, u32, u64);
numbers!(Float: f32, f64);

macro_rules! conversions {
    ($($from:ty),* => $to:tt) => {$(conversions!(@ $from => $to);)*};
    (@ $from:ty => ($($to:ty),*)) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to { As::to(self) }
        }
    )*};
}

conversions!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 => (i8, i16, i32, i64, u8, u16, u32, u64, f32, f64));
