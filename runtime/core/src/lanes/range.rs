//! Indices that go up by a constant from lane to lane, kept as a first value and a stride for as long as possible.

use super::{Integer, Lanes, Mask, Number, Value};

/// The same bits as another vector whose elements have the same width.
#[inline(always)]
pub fn bitcast<A: Number, B: Number<L = A::L>>(x: A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>() && size_of::<A::T>() == size_of::<B::T>()) };
    // SAFETY: vectors of numbers are their lanes in order, and any bits are a number.
    unsafe { std::mem::transmute_copy(&x) }
}

/// `first + lane * stride`, wrapping.
#[inline(always)]
pub fn progression<V: Integer>(first: V::T, stride: V::T) -> V {
    V::splat(first).add(V::iota().mul(V::splat(stride)))
}

/// `first + lane < bound`, without a vector of indices where the sum does not wrap.
#[inline(always)]
pub fn less<L: Lanes>(first: u64, bound: u64) -> L::Mask {
    match first.checked_add(L::W as u64 - 1) {
        Some(last) if last < bound => L::Mask::splat(true),
        Some(_) => L::Mask::first(bound.saturating_sub(first) as usize),
        None => progression::<L::U64>(first, 1).lt(L::U64::splat(bound)),
    }
}

/// `bound <= first + lane`, as [`less`].
#[inline(always)]
pub fn less_or_equal<L: Lanes>(bound: u64, first: u64) -> L::Mask {
    if bound <= first && first.checked_add(L::W as u64 - 1).is_some() {
        return L::Mask::splat(true);
    }
    less::<L>(first, bound).not()
}

/// Whether `first + lane < bound` in all lanes, which do not wrap.
#[inline(always)]
pub fn all_less<L: Lanes>(first: u64, bound: u64) -> bool {
    first
        .checked_add(L::W as u64 - 1)
        .is_some_and(|last| last < bound)
}

/// Whether `first + lane <= bound` in all lanes, which do not wrap.
#[inline(always)]
pub fn all_at_most<L: Lanes>(first: u64, bound: u64) -> bool {
    first
        .checked_add(L::W as u64 - 1)
        .is_some_and(|last| last <= bound)
}

/// Whether `bound <= first + lane` in all lanes, which do not wrap.
#[inline(always)]
pub fn all_at_least<L: Lanes>(first: u64, bound: u64) -> bool {
    bound <= first && first.checked_add(L::W as u64 - 1).is_some()
}

/// `(first + lane) / divisor`; zero for a divisor of zero.
#[inline(always)]
pub fn quotient<L: Lanes>(first: u64, divisor: u64) -> L::U64 {
    let start = first.checked_rem(divisor).unwrap_or(0);
    if divisor.wrapping_sub(start) >= L::W as u64 && first.checked_add(L::W as u64).is_some() {
        return L::U64::splat(first.checked_div(divisor).unwrap_or(0));
    }
    progression::<L::U64>(first, 1).div(L::U64::splat(divisor))
}

/// `(first + lane) % divisor`; zero for a divisor of zero.
#[inline(always)]
pub fn remainder<L: Lanes>(first: u64, divisor: u64) -> L::U64 {
    let start = first.checked_rem(divisor).unwrap_or(0);
    if divisor > start && divisor - start >= L::W as u64 && first.checked_add(L::W as u64).is_some()
    {
        return progression::<L::U64>(start, 1);
    }
    progression::<L::U64>(first, 1).rem(L::U64::splat(divisor))
}

/// Reads `from[index]` in each lane; lanes that turn out to be neighbours are read at once.
///
/// # Safety
/// The elements must be valid.
#[inline(always)]
pub unsafe fn gather<V: Value>(from: *const V::T, index: <V::L as Lanes>::U64) -> V {
    let first = index.lane(0);
    let neighbours = progression::<<V::L as Lanes>::U64>(first, 1);
    // SAFETY: by the caller's promise.
    unsafe {
        if index.eq(neighbours).all() {
            V::load(from.wrapping_add(first as usize))
        } else {
            V::gather(from, index)
        }
    }
}
