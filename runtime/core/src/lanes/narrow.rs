//! Operations of integers of 8 and 16 bits by way of 32: what fits in fewer bits is the same number in more of them, and the
//! low bits of a sum, a product or a shifted number depend on no higher ones.

use super::{Cast, Element, Integer, Lanes, Value};
use std::mem::transmute_copy;

/// An operation of two integers: of each lane, and of vectors of 32 bits.
pub trait Binary {
    /// Of a lane.
    fn of_lane<T: Element>(a: T, b: T) -> T;
    /// Of vectors.
    fn of_vector<V: Integer>(a: V, b: V) -> V;
}

macro_rules! operations {
    ($($name:ident: $lane:ident, $vector:ident;)*) => {$(
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name;
        impl Binary for $name {
            #[inline(always)]
            fn of_lane<T: Element>(a: T, b: T) -> T { a.$lane(b) }
            #[inline(always)]
            fn of_vector<V: Integer>(a: V, b: V) -> V { a.$vector(b) }
        }
    )*};
}

operations! {
    Add: plus, add;
    Sub: minus, sub;
    Mul: times, mul;
    Div: over, div;
    Rem: modulo, rem;
    And: bits_and, and;
    Or: bits_or, or;
    Xor: bits_xor, xor;
}

/// As integers of 32 bits.
#[inline(always)]
fn widened<L: Lanes, T: Element, const N: usize>(x: [T; N]) -> L::I32 {
    macro_rules! from {
        ($vector:ident) => {{
            assert!(size_of::<L::$vector>() == size_of::<[T; N]>());
            // SAFETY: of one size, and any bits are numbers.
            Cast::<L::I32>::cast(unsafe { transmute_copy::<[T; N], L::$vector>(&x) })
        }};
    }
    match (size_of::<T>(), T::SIGNED) {
        (1, true) => from!(I8),
        (1, false) => from!(U8),
        (_, true) => from!(I16),
        (_, false) => from!(U16),
    }
}

/// The low bits.
#[inline(always)]
fn narrowed<L: Lanes, T: Element, const N: usize>(x: L::I32) -> [T; N] {
    macro_rules! to {
        ($vector:ident) => {{
            assert!(size_of::<L::$vector>() == size_of::<[T; N]>());
            // SAFETY: of one size, and any bits are numbers.
            unsafe { transmute_copy::<L::$vector, [T; N]>(&Cast::<L::$vector>::cast(x)) }
        }};
    }
    match (size_of::<T>(), T::SIGNED) {
        (1, true) => to!(I8),
        (1, false) => to!(U8),
        (_, true) => to!(I16),
        (_, false) => to!(U16),
    }
}

/// An operation of arrays of `L::W` integers of 8 or 16 bits.
#[inline(always)]
pub(super) fn binary<O: Binary, L: Lanes, T: Element, const N: usize>(
    a: [T; N],
    b: [T; N],
) -> [T; N] {
    narrowed::<L, T, N>(O::of_vector(widened::<L, T, N>(a), widened::<L, T, N>(b)))
}

/// To the left or to the right, by as many bits as is left modulo the width.
#[inline(always)]
pub(super) fn shifted<const LEFT: bool, L: Lanes, T: Element, const N: usize>(
    x: [T; N],
    by: L::U32,
) -> [T; N] {
    let width = 8 * size_of::<T>() as u32;
    let by = Integer::and(by, Value::splat(width - 1));
    let x = widened::<L, T, N>(x);
    narrowed::<L, T, N>(match LEFT {
        true => x.shl(by),
        false => x.shr(by),
    })
}
