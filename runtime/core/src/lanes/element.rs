//! Rust's scalars as elements: the meaning of every lane operation, one element at a time.

use super::{Leaf, Number};

/// Rust's `as`.
pub trait As<To> {
    /// `self as To`.
    fn to(self) -> To;
}

macro_rules! conversions {
    ($($from:ty),* => $to:tt) => {$(conversions!(@ $from => $to);)*};
    (@ $from:ty => ($($to:ty),*)) => {$(
        impl As<$to> for $from {
            #[inline(always)]
            #[expect(clippy::allow_attributes, reason = "only some pairs are of one type")]
            #[allow(clippy::unnecessary_cast, reason = "written for all pairs of types")]
            fn to(self) -> $to {
                self as $to
            }
        }
    )*};
}

conversions!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 => (i8, i16, i32, i64, u8, u16, u32, u64, f32, f64));

macro_rules! signatures {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        $(#[$doc])*
        fn $name(self, $($arg: $ty),*) -> $result {
            $(let _ = $arg;)*
            unreachable!("not an operation of this type")
        }
    )*};
}

/// A scalar with the operations of `accelerate!`. Operations that a type lacks (`sqrt` of an integer) cannot be reached:
/// the vectors' traits offer them for the right types only.
#[expect(missing_docs, reason = "the names are Rust's")]
pub trait Element: Leaf + PartialOrd {
    const SIGNED: bool;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Zero if the divisor is zero (integers): a lane that is not live may hold anything.
    fn over(self, other: Self) -> Self;
    /// As [`Element::over`].
    fn modulo(self, other: Self) -> Self;
    fn negative(self) -> Self;
    fn magnitude(self) -> Self;
    /// `-0 < +0`; NaN is ignored.
    fn least(self, other: Self) -> Self;
    /// As [`Element::least`].
    fn greatest(self, other: Self) -> Self;
    fn from_index(index: usize) -> Self;
    signatures! {
        bits_and(other: Self) -> Self;
        bits_or(other: Self) -> Self;
        bits_xor(other: Self) -> Self;
        bits_not() -> Self;
        left(by: u32) -> Self;
        right(by: u32) -> Self;
        times_high(other: Self) -> Self;
        ones() -> u32;
        leading() -> u32;
        trailing() -> u32;
        swapped() -> Self;
        reversed() -> Self;
        root() -> Self;
        down() -> Self;
        up() -> Self;
        truncated() -> Self;
        even() -> Self;
        with_sign(other: Self) -> Self;
        times_plus(times: Self, plus: Self) -> Self;
    }
}

macro_rules! integers {
    ($($ty:ident, $wide:ty, $abs:ident;)*) => {$(
        impl Element for $ty {
            const SIGNED: bool = <$ty>::MIN != 0;
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn minus(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn over(self, other: Self) -> Self { if other == 0 { 0 } else { self.wrapping_div(other) } }
            #[inline(always)]
            fn modulo(self, other: Self) -> Self { if other == 0 { 0 } else { self.wrapping_rem(other) } }
            #[inline(always)]
            fn negative(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn magnitude(self) -> Self { $abs!(self) }
            #[inline(always)]
            fn least(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self { Ord::max(self, other) }
            #[inline(always)]
            fn from_index(index: usize) -> Self { index as $ty }
            #[inline(always)]
            fn bits_and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn bits_or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn bits_xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)]
            fn bits_not(self) -> Self { !self }
            #[inline(always)]
            fn left(self, by: u32) -> Self { self.wrapping_shl(by) }
            #[inline(always)]
            fn right(self, by: u32) -> Self { self.wrapping_shr(by) }
            #[inline(always)]
            fn times_high(self, other: Self) -> Self { ((self as $wide * other as $wide) >> $ty::BITS) as $ty }
            #[inline(always)]
            fn ones(self) -> u32 { self.count_ones() }
            #[inline(always)]
            fn leading(self) -> u32 { self.leading_zeros() }
            #[inline(always)]
            fn trailing(self) -> u32 { self.trailing_zeros() }
            #[inline(always)]
            fn swapped(self) -> Self { self.swap_bytes() }
            #[inline(always)]
            fn reversed(self) -> Self { self.reverse_bits() }
        }
    )*};
}

macro_rules! signed {
    ($x:ident) => {
        $x.wrapping_abs()
    };
}
macro_rules! unsigned {
    ($x:ident) => {
        $x
    };
}

integers! {
    i8, i16, signed;
    i16, i32, signed;
    i32, i64, signed;
    i64, i128, signed;
    u8, u16, unsigned;
    u16, u32, unsigned;
    u32, u64, unsigned;
    u64, u128, unsigned;
}

macro_rules! floats {
    ($($ty:ident, $bits:ty;)*) => {$(
        impl Element for $ty {
            const SIGNED: bool = true;
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn minus(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn over(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn modulo(self, other: Self) -> Self { self % other }
            #[inline(always)]
            fn negative(self) -> Self { -self }
            #[inline(always)]
            fn magnitude(self) -> Self { self.abs() }
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                // Where both compare equal, the bits decide between -0 and +0.
                if other.is_nan() || self < other || (self == other && self.is_sign_negative()) { self } else { other }
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                if other.is_nan() || self > other || (self == other && self.is_sign_positive()) { self } else { other }
            }
            #[inline(always)]
            fn from_index(index: usize) -> Self { index as $ty }
            #[inline(always)]
            fn root(self) -> Self { self.sqrt() }
            #[inline(always)]
            fn down(self) -> Self { self.floor() }
            #[inline(always)]
            fn up(self) -> Self { self.ceil() }
            #[inline(always)]
            fn truncated(self) -> Self { self.trunc() }
            #[inline(always)]
            fn even(self) -> Self { self.round_ties_even() }
            #[inline(always)]
            fn with_sign(self, other: Self) -> Self { self.copysign(other) }
            #[inline(always)]
            fn times_plus(self, times: Self, plus: Self) -> Self { self.mul_add(times, plus) }
        }
    )*};
}

floats! {
    f32, u32;
    f64, u64;
}

/// The bounds of an integer type narrower than `i32`.
pub(super) trait Bounds: Into<i32> {
    const LEAST: Self;
    const MOST: Self;
}

macro_rules! bounds {
    ($($ty:ty),*) => {$(
        impl Bounds for $ty {
            const LEAST: Self = <$ty>::MIN;
            const MOST: Self = <$ty>::MAX;
        }
    )*};
}

bounds!(i8, u8, i16, u16);

/// Saturates to the bounds of a narrower type, as conversions of floats do.
#[inline(always)]
pub(super) fn bounded<T: Bounds, V: Number<T = i32>>(x: V) -> V {
    x.max(V::splat(T::LEAST.into()))
        .min(V::splat(T::MOST.into()))
}
