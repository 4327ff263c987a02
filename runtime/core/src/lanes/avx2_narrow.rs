//! AVX2: integers of 8 and 16 bits, arrays that a register or half of one holds.
//!
//! As in `avx2.rs`, the `unsafe` blocks around intrinsics rest on the drivers' check of the features.

use super::avx2::{Avx2, F32x16, F64x16, Mask16, W, each};
use super::avx2_integers::{I32x16, I64x16, U32x16, U64x16, casts};
use super::element::bounded;
use super::{Cast, Element, Leaf, Simd};
use std::arch::x86_64::*;
use std::mem::{transmute, transmute_copy};

/// The bytes of an array of 16.
#[inline(always)]
fn bytes<T: Leaf, const N: usize>(x: &[T; N]) -> __m128i {
    assert!(size_of::<[T; N]>() == 16);
    // SAFETY: of one size.
    unsafe { transmute_copy(x) }
}

/// The words of an array of 16.
#[inline(always)]
fn words<T: Leaf, const N: usize>(x: &[T; N]) -> __m256i {
    assert!(size_of::<[T; N]>() == 32);
    // SAFETY: of one size.
    unsafe { transmute_copy(x) }
}

/// A mask from bytes that are all ones or all zeros.
#[inline(always)]
unsafe fn of_bytes(x: __m128i) -> Mask16 {
    // SAFETY: the features are present.
    unsafe {
        Mask16([
            _mm256_cvtepi8_epi32(x),
            _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(x)),
        ])
    }
}

/// A mask from words that are all ones or all zeros.
#[inline(always)]
unsafe fn of_words(x: __m256i) -> Mask16 {
    // SAFETY: the features are present.
    unsafe {
        let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        Mask16([_mm256_cvtepi16_epi32(low), _mm256_cvtepi16_epi32(high)])
    }
}

/// The low words of numbers that are words, signed ones.
#[inline(always)]
unsafe fn to_words([low, high]: [__m256i; 2]) -> __m256i {
    // SAFETY: the features are present.
    unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high)) }
}

/// The low bytes of numbers that are bytes, signed ones.
#[inline(always)]
unsafe fn to_bytes(x: [__m256i; 2]) -> __m128i {
    // SAFETY: the features are present.
    unsafe {
        let words = to_words(x);
        _mm_packs_epi16(
            _mm256_castsi256_si128(words),
            _mm256_extracti128_si256::<1>(words),
        )
    }
}

#[inline(always)]
pub(super) fn eq<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask16 {
    // SAFETY: the features are present.
    unsafe {
        match size_of::<T>() {
            1 => of_bytes(_mm_cmpeq_epi8(bytes(&a), bytes(&b))),
            _ => of_words(_mm256_cmpeq_epi16(words(&a), words(&b))),
        }
    }
}

#[inline(always)]
pub(super) fn lt<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask16 {
    // SAFETY: the features are present.
    unsafe {
        match size_of::<T>() {
            1 => {
                // Without a sign, the order is that of signed numbers with the highest bit turned.
                let turn = _mm_set1_epi8(if T::SIGNED { 0 } else { i8::MIN });
                let (a, b) = (
                    _mm_xor_si128(bytes(&a), turn),
                    _mm_xor_si128(bytes(&b), turn),
                );
                of_bytes(_mm_cmpgt_epi8(b, a))
            }
            _ => {
                let turn = _mm256_set1_epi16(if T::SIGNED { 0 } else { i16::MIN });
                let (a, b) = (
                    _mm256_xor_si256(words(&a), turn),
                    _mm256_xor_si256(words(&b), turn),
                );
                of_words(_mm256_cmpgt_epi16(b, a))
            }
        }
    }
}

#[inline(always)]
pub(super) fn min<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match (size_of::<T>(), T::SIGNED) {
            (1, true) => transmute_copy(&_mm_min_epi8(bytes(&a), bytes(&b))),
            (1, false) => transmute_copy(&_mm_min_epu8(bytes(&a), bytes(&b))),
            (_, true) => transmute_copy(&_mm256_min_epi16(words(&a), words(&b))),
            (_, false) => transmute_copy(&_mm256_min_epu16(words(&a), words(&b))),
        }
    }
}

#[inline(always)]
pub(super) fn max<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match (size_of::<T>(), T::SIGNED) {
            (1, true) => transmute_copy(&_mm_max_epi8(bytes(&a), bytes(&b))),
            (1, false) => transmute_copy(&_mm_max_epu8(bytes(&a), bytes(&b))),
            (_, true) => transmute_copy(&_mm256_max_epi16(words(&a), words(&b))),
            (_, false) => transmute_copy(&_mm256_max_epu16(words(&a), words(&b))),
        }
    }
}

#[inline(always)]
pub(super) fn select<T: Leaf, const N: usize>(mask: Mask16, a: [T; N], b: [T; N]) -> [T; N] {
    // SAFETY: the features are present; of one size.
    unsafe {
        match size_of::<T>() {
            1 => transmute_copy(&_mm_blendv_epi8(bytes(&b), bytes(&a), to_bytes(mask.0))),
            _ => transmute_copy(&_mm256_blendv_epi8(words(&b), words(&a), to_words(mask.0))),
        }
    }
}

/// Of halves, which are their bits.
#[inline(always)]
pub(super) fn f32_from_f16(x: Simd<u16, Avx2, W>) -> F32x16 {
    // SAFETY: the features are present.
    unsafe {
        let x = words(&x.0);
        let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        F32x16([_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)])
    }
}

#[inline(always)]
pub(super) fn f16_from_f32(x: F32x16) -> Simd<u16, Avx2, W> {
    // SAFETY: the features are present; of one size.
    unsafe {
        let [low, high] = each!(2, I => _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x.0[I]));
        let nan = to_words(each!(2, I => {
            _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(x.0[I], x.0[I]))
        }));
        let rounded = _mm256_set_m128i(high, low);
        let one = _mm256_set1_epi16(0x7e00);
        Simd::new(transmute::<__m256i, [u16; W]>(_mm256_blendv_epi8(
            rounded, one, nan,
        )))
    }
}

/// With the low bits of each number as a signed one of so many bits.
#[inline(always)]
unsafe fn cut<const BITS: u32>(x: [__m256i; 2]) -> [__m256i; 2] {
    // SAFETY: the features are present.
    each!(2, I => unsafe {
        let by = _mm_cvtsi32_si128(32 - BITS as i32);
        _mm256_sra_epi32(_mm256_sll_epi32(x[I], by), by)
    })
}

/// Between an integer of 8 or 16 bits and those of 32 bits: extended, and with what is above cut off.
macro_rules! by_integers {
    ($($ty:ty, $register:ty, $whole:expr, $extend:expr, $cut:expr;)*) => {casts! {$(
        Simd<$ty, Avx2, W> => I32x16 = |x| {
            let x = $whole(&x.0);
            I32x16($extend(x))
        };
        I32x16 => Simd<$ty, Avx2, W> = |x| Simd::new(transmute::<$register, [$ty; W]>($cut(cut::<{ <$ty>::BITS }>(x.0))));
        Simd<$ty, Avx2, W> => U32x16 = |x| Cast::<I32x16>::cast(x).cast();
        Simd<$ty, Avx2, W> => F32x16 = |x| Cast::<I32x16>::cast(x).cast();
        Simd<$ty, Avx2, W> => F64x16 = |x| Cast::<I32x16>::cast(x).cast();
        Simd<$ty, Avx2, W> => I64x16 = |x| Cast::<I32x16>::cast(x).cast();
        Simd<$ty, Avx2, W> => U64x16 = |x| Cast::<I32x16>::cast(x).cast();
        U32x16 => Simd<$ty, Avx2, W> = |x| Cast::<I32x16>::cast(x).cast();
        I64x16 => Simd<$ty, Avx2, W> = |x| Cast::<I32x16>::cast(x).cast();
        U64x16 => Simd<$ty, Avx2, W> = |x| Cast::<I32x16>::cast(x).cast();
        F64x16 => Simd<$ty, Avx2, W> = |x| bounded::<$ty, I32x16>(x.cast()).cast();
    )*}};
}

by_integers! {
    i8, __m128i, bytes, |x| [_mm256_cvtepi8_epi32(x), _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(x))], to_bytes;
    u8, __m128i, bytes, |x| [_mm256_cvtepu8_epi32(x), _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(x))], to_bytes;
    i16, __m256i, words, |x| [
        _mm256_cvtepi16_epi32(_mm256_castsi256_si128(x)), _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(x)),
    ], to_words;
    u16, __m256i, words, |x| [
        _mm256_cvtepu16_epi32(_mm256_castsi256_si128(x)), _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(x)),
    ], to_words;
}

casts! {
    F32x16 => Simd<i8, Avx2, W> = |x| bounded::<i8, I32x16>(x.cast()).cast();
    F32x16 => Simd<i16, Avx2, W> = |x| bounded::<i16, I32x16>(x.cast()).cast();
    F32x16 => Simd<u16, Avx2, W> = |x| bounded::<u16, I32x16>(x.cast()).cast();
    F32x16 => Simd<u8, Avx2, W> = |x| {
        // `max` gives its second operand for NaN.
        let [low, high] = each!(2, I => {
            let x = _mm256_min_ps(_mm256_max_ps(x.0[I], _mm256_setzero_ps()), _mm256_set1_ps(255.0));
            _mm256_cvttps_epi32(x)
        });
        let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high));
        let bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
        Simd::new(transmute::<__m128i, [u8; W]>(bytes))
    };
}
