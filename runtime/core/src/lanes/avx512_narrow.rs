//! AVX-512: integers of 8 and 16 bits, arrays that a register or half of one holds.
//!
//! As in `avx2.rs`, the `unsafe` blocks around intrinsics rest on the drivers' check of the features.

use super::avx2::each;
use super::avx512::{Avx512, F32x32, F64x32, Mask32, W};
use super::avx512_integers::{I32x32, I64x32, U32x32, U64x32, casts};
use super::element::bounded;
use super::{Cast, Element, Leaf, Simd};
use std::arch::x86_64::*;
use std::mem::{transmute, transmute_copy};

/// The bytes of an array of 32.
#[inline(always)]
fn bytes<T: Leaf, const N: usize>(x: &[T; N]) -> __m256i {
    assert!(size_of::<[T; N]>() == 32);
    // SAFETY: of one size.
    unsafe { transmute_copy(x) }
}

/// The words of an array of 32.
#[inline(always)]
fn words<T: Leaf, const N: usize>(x: &[T; N]) -> __m512i {
    assert!(size_of::<[T; N]>() == 64);
    // SAFETY: of one size.
    unsafe { transmute_copy(x) }
}

#[inline(always)]
pub(super) fn eq<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask32 {
    // SAFETY: the features are present.
    Mask32(unsafe {
        match size_of::<T>() {
            1 => _mm256_cmpeq_epi8_mask(bytes(&a), bytes(&b)),
            _ => _mm512_cmpeq_epi16_mask(words(&a), words(&b)),
        }
    })
}

#[inline(always)]
pub(super) fn lt<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask32 {
    // SAFETY: the features are present.
    Mask32(unsafe {
        match (size_of::<T>(), T::SIGNED) {
            (1, true) => _mm256_cmplt_epi8_mask(bytes(&a), bytes(&b)),
            (1, false) => _mm256_cmplt_epu8_mask(bytes(&a), bytes(&b)),
            (_, true) => _mm512_cmplt_epi16_mask(words(&a), words(&b)),
            (_, false) => _mm512_cmplt_epu16_mask(words(&a), words(&b)),
        }
    })
}

#[inline(always)]
pub(super) fn min<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match (size_of::<T>(), T::SIGNED) {
            (1, true) => transmute_copy(&_mm256_min_epi8(bytes(&a), bytes(&b))),
            (1, false) => transmute_copy(&_mm256_min_epu8(bytes(&a), bytes(&b))),
            (_, true) => transmute_copy(&_mm512_min_epi16(words(&a), words(&b))),
            (_, false) => transmute_copy(&_mm512_min_epu16(words(&a), words(&b))),
        }
    }
}

#[inline(always)]
pub(super) fn max<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match (size_of::<T>(), T::SIGNED) {
            (1, true) => transmute_copy(&_mm256_max_epi8(bytes(&a), bytes(&b))),
            (1, false) => transmute_copy(&_mm256_max_epu8(bytes(&a), bytes(&b))),
            (_, true) => transmute_copy(&_mm512_max_epi16(words(&a), words(&b))),
            (_, false) => transmute_copy(&_mm512_max_epu16(words(&a), words(&b))),
        }
    }
}

#[inline(always)]
pub(super) fn select<T: Leaf, const N: usize>(mask: Mask32, a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match size_of::<T>() {
            1 => transmute_copy(&_mm256_mask_blend_epi8(mask.0, bytes(&b), bytes(&a))),
            _ => transmute_copy(&_mm512_mask_blend_epi16(mask.0, words(&b), words(&a))),
        }
    }
}

/// Of halves, which are their bits.
#[inline(always)]
pub(super) fn f32_from_f16(x: Simd<u16, Avx512, W>) -> F32x32 {
    // SAFETY: the features are present.
    unsafe {
        let x = words(&x.0);
        let (low, high) = (_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
        F32x32([_mm512_cvtph_ps(low), _mm512_cvtph_ps(high)])
    }
}

#[inline(always)]
pub(super) fn f16_from_f32(x: F32x32) -> Simd<u16, Avx512, W> {
    // SAFETY: the features are present; of one size.
    unsafe {
        let one = _mm256_set1_epi16(0x7e00);
        let [low, high] = each!(2, I => {
            let rounded = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x.0[I]);
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x.0[I], x.0[I]);
            _mm256_mask_blend_epi16(nan, rounded, one)
        });
        let both = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        Simd::new(transmute::<__m512i, [u16; W]>(both))
    }
}

/// Between an integer of 8 or 16 bits and those of 32 bits: extended, and with what is above cut off.
macro_rules! by_integers {
    ($($ty:ty, $register:ty, $load:expr, $extend:ident, $cut:ident;)*) => {casts! {$(
        Simd<$ty, Avx512, W> => I32x32 = |x| {
            let [low, high] = $load(x.0);
            I32x32([$extend(low), $extend(high)])
        };
        I32x32 => Simd<$ty, Avx512, W> = |x| {
            Simd::new(transmute::<[$register; 2], [$ty; W]>(each!(2, I => $cut(x.0[I]))))
        };
        Simd<$ty, Avx512, W> => U32x32 = |x| Cast::<I32x32>::cast(x).cast();
        Simd<$ty, Avx512, W> => F32x32 = |x| Cast::<I32x32>::cast(x).cast();
        Simd<$ty, Avx512, W> => F64x32 = |x| Cast::<I32x32>::cast(x).cast();
        Simd<$ty, Avx512, W> => I64x32 = |x| Cast::<I32x32>::cast(x).cast();
        Simd<$ty, Avx512, W> => U64x32 = |x| Cast::<I32x32>::cast(x).cast();
        U32x32 => Simd<$ty, Avx512, W> = |x| Cast::<I32x32>::cast(x).cast();
        I64x32 => Simd<$ty, Avx512, W> = |x| Cast::<I32x32>::cast(x).cast();
        U64x32 => Simd<$ty, Avx512, W> = |x| Cast::<I32x32>::cast(x).cast();
        F64x32 => Simd<$ty, Avx512, W> = |x| bounded::<$ty, I32x32>(x.cast()).cast();
    )*}};
}

by_integers! {
    i8, __m128i, transmute::<[i8; W], [__m128i; 2]>, _mm512_cvtepi8_epi32, _mm512_cvtepi32_epi8;
    u8, __m128i, transmute::<[u8; W], [__m128i; 2]>, _mm512_cvtepu8_epi32, _mm512_cvtepi32_epi8;
    i16, __m256i, transmute::<[i16; W], [__m256i; 2]>, _mm512_cvtepi16_epi32, _mm512_cvtepi32_epi16;
    u16, __m256i, transmute::<[u16; W], [__m256i; 2]>, _mm512_cvtepu16_epi32, _mm512_cvtepi32_epi16;
}

casts! {
    F32x32 => Simd<i8, Avx512, W> = |x| bounded::<i8, I32x32>(x.cast()).cast();
    F32x32 => Simd<i16, Avx512, W> = |x| bounded::<i16, I32x32>(x.cast()).cast();
    F32x32 => Simd<u16, Avx512, W> = |x| bounded::<u16, I32x32>(x.cast()).cast();
    F32x32 => Simd<u8, Avx512, W> = |x| {
        // `max` gives its second operand for NaN.
        let bytes = each!(2, I => {
            let x = _mm512_max_ps(x.0[I], _mm512_setzero_ps());
            _mm512_cvtusepi32_epi8(_mm512_cvttps_epu32(x))
        });
        Simd::new(transmute::<[__m128i; 2], [u8; W]>(bytes))
    };
}
