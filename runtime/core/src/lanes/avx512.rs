//! AVX-512 (F, BW, DQ, VL, CD): 32 lanes, two registers of 32-bit lanes or four of 64-bit ones. Floats and masks; the
//! integers stand in `avx512_integers.rs`.
//!
//! As in `avx2.rs`, the `unsafe` blocks around intrinsics rest on the drivers' check of the features.

use super::avx2::{each, methods, registers};
use super::avx512_memory::memory;
use super::avx512_narrow as narrow;
use super::narrow::{self as by_words, Binary};
use super::{Cast, Element, Float, Lanes, Leaf, Mask, Number, Simd, Value};
use std::arch::x86_64::*;

/// AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Avx512;

pub(super) const W: usize = 32;

impl Lanes for Avx512 {
    const W: usize = W;
    type Group<V: Copy> = [V; 1];
    #[inline(always)]
    fn group<V: Copy>(value: V) -> Self::Group<V> {
        [value]
    }
    const STREAMED: usize = 64;
    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8) {
        // SAFETY: by the caller's promise; the features are present.
        unsafe { _mm512_stream_si512(to.cast(), _mm512_loadu_si512(from.cast())) }
    }
    #[inline(always)]
    fn array_eq<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask32 {
        narrow::eq(a, b)
    }
    #[inline(always)]
    fn array_lt<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask32 {
        narrow::lt(a, b)
    }
    #[inline(always)]
    fn array_le<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask32 {
        narrow::lt(b, a).not()
    }
    #[inline(always)]
    fn array_min<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        narrow::min(a, b)
    }
    #[inline(always)]
    fn array_max<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        narrow::max(a, b)
    }
    #[inline(always)]
    fn array_binary<O: Binary, T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        by_words::binary::<O, Self, T, N>(a, b)
    }
    #[inline(always)]
    fn array_shifted<const LEFT: bool, T: Element, const N: usize>(
        x: [T; N],
        by: <Self as Lanes>::U32,
    ) -> [T; N] {
        by_words::shifted::<LEFT, Self, T, N>(x, by)
    }
    #[inline(always)]
    fn array_select<T: Leaf, const N: usize>(mask: Mask32, a: [T; N], b: [T; N]) -> [T; N] {
        narrow::select(mask, a, b)
    }
    #[inline(always)]
    fn f32_from_f16(x: Self::U16) -> Self::F32 {
        narrow::f32_from_f16(x)
    }
    #[inline(always)]
    fn f16_from_f32(x: Self::F32) -> Self::U16 {
        narrow::f16_from_f32(x)
    }
    type Mask = Mask32;
    type F32 = F32x32;
    type F64 = F64x32;
    type I8 = Simd<i8, Self, W>;
    type I16 = Simd<i16, Self, W>;
    type I32 = super::avx512_integers::I32x32;
    type I64 = super::avx512_integers::I64x32;
    type U8 = Simd<u8, Self, W>;
    type U16 = Simd<u16, Self, W>;
    type U32 = super::avx512_integers::U32x32;
    type U64 = super::avx512_integers::U64x32;
}

/// A bit for each of 32 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Mask32(pub(super) u32);

/// A mask from comparing register by register.
macro_rules! compare {
    (2, $i:ident => $e:expr) => {{
        // SAFETY: the features are present.
        let [a, b] = each!(2, $i => unsafe { $e });
        Mask32(u32::from(a) | u32::from(b) << 16)
    }};
    (4, $i:ident => $e:expr) => {{
        // SAFETY: the features are present.
        let [a, b, c, d] = each!(4, $i => unsafe { $e });
        Mask32(u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16 | u32::from(d) << 24)
    }};
}
pub(super) use compare;

impl Value for Mask32 {
    type L = Avx512;
    type T = bool;
    #[inline(always)]
    fn splat(x: bool) -> Self {
        Mask32(0u32.wrapping_sub(u32::from(x)))
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }
    #[inline(always)]
    fn with_lane(self, lane: usize, x: bool) -> Self {
        Mask32(self.0 & !(1 << lane) | u32::from(x) << lane)
    }
    #[inline(always)]
    fn select(mask: Self, a: Self, b: Self) -> Self {
        Mask32(mask.0 & a.0 | !mask.0 & b.0)
    }
    #[inline(always)]
    unsafe fn load(from: *const bool) -> Self {
        // SAFETY: by the caller's promise; the features are present.
        unsafe {
            let bytes = _mm256_loadu_si256(from.cast());
            Mask32(_mm256_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut bool) {
        // SAFETY: by the caller's promise; the features are present.
        unsafe { _mm256_storeu_si256(to.cast(), _mm256_maskz_set1_epi8(self.0, 1)) }
    }
}

impl Mask for Mask32 {
    #[inline(always)]
    fn first(count: usize) -> Self {
        Mask32(if count >= W {
            u32::MAX
        } else {
            (1 << count) - 1
        })
    }
    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        Mask32(bits)
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0 == u32::MAX
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Mask32(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Mask32(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Mask32(self.0 ^ other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Mask32(!self.0)
    }
    #[inline(always)]
    fn but_not(self, other: Self) -> Self {
        Mask32(self.0 & !other.0)
    }
}

#[inline(always)]
unsafe fn blend_f32(mask: Mask32, a: F32x32, b: F32x32) -> F32x32 {
    F32x32(each!(2, I => {
        // SAFETY: by the caller's promise.
        unsafe { _mm512_mask_blend_ps((mask.0 >> (16 * I)) as u16, b.0[I], a.0[I]) }
    }))
}

#[inline(always)]
unsafe fn blend_f64(mask: Mask32, a: F64x32, b: F64x32) -> F64x32 {
    F64x32(each!(4, I => {
        // SAFETY: by the caller's promise.
        unsafe { _mm512_mask_blend_pd((mask.0 >> (8 * I)) as u8, b.0[I], a.0[I]) }
    }))
}

registers! { Avx512, W, memory;
    /// Lanes of `f32`.
    F32x32: f32 = [__m512; 2], _mm512_set1_ps as f32, _mm512_loadu_ps, _mm512_storeu_ps, blend_f32;
    /// Lanes of `f64`.
    F64x32: f64 = [__m512d; 4], _mm512_set1_pd as f64, _mm512_loadu_pd, _mm512_storeu_pd, blend_f64;
}

impl Number for F32x32 {
    methods! { F32x32, 2:
        add = |a, b| _mm512_add_ps(a, b);
        sub = |a, b| _mm512_sub_ps(a, b);
        mul = |a, b| _mm512_mul_ps(a, b);
        div = |a, b| _mm512_div_ps(a, b);
        neg = |a| _mm512_xor_ps(a, _mm512_set1_ps(-0.0));
        abs = |a| _mm512_abs_ps(a);
        // As on AVX2.
        min = |a, b| {
            let least = _mm512_or_ps(_mm512_min_ps(a, b), _mm512_min_ps(b, a));
            let least = _mm512_mask_mov_ps(least, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(b, b), a);
            _mm512_mask_mov_ps(least, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, a), b)
        };
        max = |a, b| {
            let greatest = _mm512_and_ps(_mm512_max_ps(a, b), _mm512_max_ps(b, a));
            let greatest = _mm512_mask_mov_ps(greatest, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(b, b), a);
            _mm512_mask_mov_ps(greatest, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, a), b)
        };
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Mask32 {
        compare!(2, I => _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Mask32 {
        compare!(2, I => _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask32 {
        compare!(2, I => _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask32 {
        compare!(2, I => _mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0[I], other.0[I]))
    }
}

impl Float for F32x32 {
    const FUSED: bool = true;
    methods! { F32x32, 2:
        sqrt = |a| _mm512_sqrt_ps(a);
        floor = |a| _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
        ceil = |a| _mm512_roundscale_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
        trunc = |a| _mm512_roundscale_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
        round_even = |a| _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        copysign = |a, b| {
            let sign = _mm512_set1_ps(-0.0);
            _mm512_or_ps(_mm512_andnot_ps(sign, a), _mm512_and_ps(sign, b))
        };
        mul_add = |a, b, c| _mm512_fmadd_ps(a, b, c);
        fused = |a, b, c| _mm512_fmadd_ps(a, b, c);
        // An estimate of 14 bits and a step of Newton's method, but where that is of 0 or infinity.
        rsqrt = |a| {
            let estimate = _mm512_rsqrt14_ps(a);
            let error = _mm512_fnmadd_ps(_mm512_mul_ps(a, estimate), estimate, _mm512_set1_ps(1.0));
            let half = _mm512_mul_ps(estimate, _mm512_set1_ps(0.5));
            let root = _mm512_fmadd_ps(half, error, estimate);
            _mm512_mask_mov_ps(root, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(root, root), estimate)
        };
        // An estimate of 14 bits, a step, and what is left of the dividend.
        fast_div = |a, b| {
            let estimate = _mm512_rcp14_ps(b);
            let first = _mm512_mul_ps(a, estimate);
            let error = _mm512_fnmadd_ps(b, estimate, _mm512_set1_ps(1.0));
            let second = _mm512_fmadd_ps(first, error, first);
            let left = _mm512_fnmadd_ps(second, b, a);
            let quotient = _mm512_fmadd_ps(left, estimate, second);
            let open = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(quotient, quotient);
            _mm512_mask_mov_ps(quotient, open, first)
        };
        // The second operand where one is NaN.
        bounded = |a, low, high| _mm512_min_ps(_mm512_max_ps(a, low), high);
    }
}

impl Number for F64x32 {
    methods! { F64x32, 4:
        add = |a, b| _mm512_add_pd(a, b);
        sub = |a, b| _mm512_sub_pd(a, b);
        mul = |a, b| _mm512_mul_pd(a, b);
        div = |a, b| _mm512_div_pd(a, b);
        neg = |a| _mm512_xor_pd(a, _mm512_set1_pd(-0.0));
        abs = |a| _mm512_abs_pd(a);
        min = |a, b| {
            let least = _mm512_or_pd(_mm512_min_pd(a, b), _mm512_min_pd(b, a));
            let least = _mm512_mask_mov_pd(least, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(b, b), a);
            _mm512_mask_mov_pd(least, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(a, a), b)
        };
        max = |a, b| {
            let greatest = _mm512_and_pd(_mm512_max_pd(a, b), _mm512_max_pd(b, a));
            let greatest = _mm512_mask_mov_pd(greatest, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(b, b), a);
            _mm512_mask_mov_pd(greatest, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(a, a), b)
        };
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Mask32 {
        compare!(4, I => _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Mask32 {
        compare!(4, I => _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask32 {
        compare!(4, I => _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask32 {
        compare!(4, I => _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0[I], other.0[I]))
    }
}

impl Float for F64x32 {
    const FUSED: bool = true;
    methods! { F64x32, 4:
        sqrt = |a| _mm512_sqrt_pd(a);
        floor = |a| _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
        ceil = |a| _mm512_roundscale_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
        trunc = |a| _mm512_roundscale_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
        round_even = |a| _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        copysign = |a, b| {
            let sign = _mm512_set1_pd(-0.0);
            _mm512_or_pd(_mm512_andnot_pd(sign, a), _mm512_and_pd(sign, b))
        };
        mul_add = |a, b, c| _mm512_fmadd_pd(a, b, c);
        fused = |a, b, c| _mm512_fmadd_pd(a, b, c);
        // As of `f32`, in two steps.
        rsqrt = |a| {
            let estimate = _mm512_rsqrt14_pd(a);
            let step = |root| {
                let error = _mm512_fnmadd_pd(_mm512_mul_pd(a, root), root, _mm512_set1_pd(1.0));
                _mm512_fmadd_pd(_mm512_mul_pd(root, _mm512_set1_pd(0.5)), error, root)
            };
            let root = step(step(estimate));
            _mm512_mask_mov_pd(root, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(root, root), estimate)
        };
        // The second operand where one is NaN.
        bounded = |a, low, high| _mm512_min_pd(_mm512_max_pd(a, low), high);
    }
}

impl Cast<F64x32> for F32x32 {
    #[inline(always)]
    fn cast(self) -> F64x32 {
        // SAFETY: the features are present.
        unsafe {
            F64x32([
                _mm512_cvtps_pd(_mm512_castps512_ps256(self.0[0])),
                _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(self.0[0])),
                _mm512_cvtps_pd(_mm512_castps512_ps256(self.0[1])),
                _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(self.0[1])),
            ])
        }
    }
}

impl Cast<F32x32> for F64x32 {
    #[inline(always)]
    fn cast(self) -> F32x32 {
        // SAFETY: the features are present.
        F32x32(each!(2, I => unsafe {
            let low = _mm512_castps256_ps512(_mm512_cvtpd_ps(self.0[2 * I]));
            _mm512_insertf32x8::<1>(low, _mm512_cvtpd_ps(self.0[2 * I + 1]))
        }))
    }
}
