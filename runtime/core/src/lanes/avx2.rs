//! AVX2 and FMA: sixteen lanes, two registers of 32-bit lanes or four of 64-bit ones. Floats and masks; the integers
//! stand in `avx2_integers.rs`.
//!
//! Methods here may run only where the features are present: the drivers see to that, so the `unsafe` blocks around
//! intrinsics rest on it. A mask is a register of 32-bit lanes, all ones or all zeros.

use super::avx2_memory::memory;
use super::avx2_narrow as narrow;
use super::narrow::{self as by_words, Binary};
use super::{Cast, Element, Float, Lanes, Leaf, Mask, Number, Simd, VIRTUAL, Value};
use std::arch::x86_64::*;

/// AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2;

pub(super) const W: usize = 16;

/// Two or four registers, one after the other.
macro_rules! each {
    (2, $i:ident => $e:expr) => {
        [
            { const $i: usize = 0; $e },
            { const $i: usize = 1; $e },
        ]
    };
    (4, $i:ident => $e:expr) => {
        [
            { const $i: usize = 0; $e },
            { const $i: usize = 1; $e },
            { const $i: usize = 2; $e },
            { const $i: usize = 3; $e },
        ]
    };
}
pub(super) use each;

/// A vector type of registers: its memory is its lanes in order.
macro_rules! registers {
    ($lanes:ident, $width:expr, $memory:ident; $($(#[$doc:meta])* $name:ident: $leaf:ident = [$register:ident; $n:tt], $splat:ident as $bits:ty, $load:ident, $store:ident, $blend:path;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name(pub(super) [$register; $n]);

        #[allow(clippy::useless_transmute, reason = "registers of integers are of that type")]
        impl Value for $name {
            type L = $lanes;
            type T = $leaf;
            #[inline(always)]
            fn splat(x: $leaf) -> Self {
                // SAFETY: the features are present (see the module).
                $name([unsafe { $splat(x as $bits) }; $n])
            }
            #[inline(always)]
            fn lane(self, lane: usize) -> $leaf {
                // SAFETY: of one size, and any bits are a number.
                let lanes = unsafe { std::mem::transmute::<[$register; $n], [$leaf; $width]>(self.0) };
                lanes[lane]
            }
            #[inline(always)]
            fn with_lane(self, lane: usize, x: $leaf) -> Self {
                // SAFETY: of one size, and any bits are a number.
                unsafe {
                    let mut lanes = std::mem::transmute::<[$register; $n], [$leaf; $width]>(self.0);
                    lanes[lane] = x;
                    $name(std::mem::transmute::<[$leaf; $width], [$register; $n]>(lanes))
                }
            }
            #[inline(always)]
            unsafe fn load(from: *const $leaf) -> Self {
                const STEP: usize = $width / $n;
                // SAFETY: by the caller's promise; the features are present.
                $name(each!($n, I => unsafe { $load(from.add(I * STEP).cast()) }))
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $leaf) {
                const STEP: usize = $width / $n;
                // SAFETY: by the caller's promise; the features are present.
                let _: [(); $n] = each!($n, I => unsafe { $store(to.add(I * STEP).cast(), self.0[I]) });
            }
            #[inline(always)]
            fn select(mask: <$lanes as Lanes>::Mask, a: Self, b: Self) -> Self {
                // SAFETY: the features are present.
                unsafe { $blend(mask, a, b) }
            }
            #[inline(always)]
            fn halves(a: Self, b: Self) -> (Self, Self) {
                const HALF: usize = $n / 2;
                (
                    $name(each!($n, I => if I < HALF { a.0[I] } else { b.0[(I + HALF) % $n] })),
                    $name(each!($n, I => if I < HALF { a.0[(I + HALF) % $n] } else { b.0[I] })),
                )
            }
            $memory!($leaf, $register, $n);
        }
    )*};
}
pub(super) use registers;

/// Methods of one or two operands, register by register: `name = |a, b| expression`.
macro_rules! methods {
    ($name:ident, $n:tt: $($method:ident = |$a:ident $(, $b:ident)*| $e:expr;)*) => {$(
        #[inline(always)]
        fn $method(self $(, $b: Self)*) -> Self {
            // SAFETY: the features are present (see the module).
            unsafe {
                $name(each!($n, I => {
                    let $a = self.0[I];
                    $(let $b = $b.0[I];)*
                    $e
                }))
            }
        }
    )*};
}
pub(super) use methods;

impl Lanes for Avx2 {
    const W: usize = W;
    type Group<V: Copy> = [V; VIRTUAL / W];
    #[inline(always)]
    fn group<V: Copy>(value: V) -> Self::Group<V> {
        [value; VIRTUAL / W]
    }
    const STREAMED: usize = 32;
    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8) {
        // SAFETY: by the caller's promise; the features are present.
        unsafe { _mm256_stream_si256(to.cast(), _mm256_loadu_si256(from.cast())) }
    }
    #[inline(always)]
    fn array_eq<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask16 {
        narrow::eq(a, b)
    }
    #[inline(always)]
    fn array_lt<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask16 {
        narrow::lt(a, b)
    }
    #[inline(always)]
    fn array_le<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> Mask16 {
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
    fn array_select<T: Leaf, const N: usize>(mask: Mask16, a: [T; N], b: [T; N]) -> [T; N] {
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
    type Mask = Mask16;
    type F32 = F32x16;
    type F64 = F64x16;
    type I8 = Simd<i8, Self, W>;
    type I16 = Simd<i16, Self, W>;
    type I32 = super::avx2_integers::I32x16;
    type I64 = super::avx2_integers::I64x16;
    type U8 = Simd<u8, Self, W>;
    type U16 = Simd<u16, Self, W>;
    type U32 = super::avx2_integers::U32x16;
    type U64 = super::avx2_integers::U64x16;
}

/// A truth value for each of 16 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Mask16(pub(super) [__m256i; 2]);

impl Mask16 {
    #[inline(always)]
    fn bits(self) -> u32 {
        let [low, high] = each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0[I])) as u32 }
        });
        low | high << 8
    }

    /// The mask for 64-bit lanes.
    ///
    /// # Safety
    /// AVX2.
    #[inline(always)]
    pub(super) unsafe fn wide(self) -> [__m256i; 4] {
        // SAFETY: by the caller's promise.
        unsafe {
            [
                _mm256_cvtepi32_epi64(_mm256_castsi256_si128(self.0[0])),
                _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(self.0[0])),
                _mm256_cvtepi32_epi64(_mm256_castsi256_si128(self.0[1])),
                _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(self.0[1])),
            ]
        }
    }

    /// From masks of 64-bit lanes.
    ///
    /// # Safety
    /// AVX2.
    #[inline(always)]
    pub(super) unsafe fn narrow(wide: [__m256i; 4]) -> Self {
        Mask16(each!(2, I => {
            // SAFETY: by the caller's promise.
            unsafe { low_halves(wide[2 * I], wide[2 * I + 1]) }
        }))
    }
}

/// The low 32 bits of eight 64-bit lanes.
///
/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn low_halves(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: by the caller's promise.
    unsafe {
        let even =
            _mm256_shuffle_ps::<0b10_00_10_00>(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_castps_si256(even))
    }
}

impl Value for Mask16 {
    type L = Avx2;
    type T = bool;
    #[inline(always)]
    fn splat(x: bool) -> Self {
        // SAFETY: the features are present.
        Mask16([unsafe { _mm256_set1_epi32(-i32::from(x)) }; 2])
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.bits() >> lane & 1 != 0
    }
    #[inline(always)]
    fn with_lane(self, lane: usize, x: bool) -> Self {
        // SAFETY: of one size, and any bits are a number.
        unsafe {
            let mut lanes = std::mem::transmute::<[__m256i; 2], [i32; W]>(self.0);
            lanes[lane] = -i32::from(x);
            Mask16(std::mem::transmute::<[i32; W], [__m256i; 2]>(lanes))
        }
    }
    #[inline(always)]
    fn select(mask: Self, a: Self, b: Self) -> Self {
        Mask16(each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_blendv_epi8(b.0[I], a.0[I], mask.0[I]) }
        }))
    }
    #[inline(always)]
    unsafe fn load(from: *const bool) -> Self {
        // SAFETY: by the caller's promise; the features are present.
        Mask16(each!(2, I => unsafe {
            let bytes = _mm_loadl_epi64(from.add(8 * I).cast());
            _mm256_cmpgt_epi32(_mm256_cvtepu8_epi32(bytes), _mm256_setzero_si256())
        }))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut bool) {
        let bits = self.bits();
        for lane in 0..W {
            // SAFETY: by the caller's promise.
            unsafe { *to.add(lane) = bits >> lane & 1 != 0 };
        }
    }
}

impl Mask for Mask16 {
    #[inline(always)]
    fn first(count: usize) -> Self {
        let count = count.min(W) as i32;
        // SAFETY: the features are present.
        unsafe {
            let count = _mm256_set1_epi32(count);
            Mask16([
                _mm256_cmpgt_epi32(count, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
                _mm256_cmpgt_epi32(count, _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15)),
            ])
        }
    }
    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        // SAFETY: the features are present.
        unsafe {
            let bits = _mm256_set1_epi32(bits as i32);
            Mask16(each!(2, I => {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let own = _mm256_sllv_epi32(_mm256_set1_epi32(1 << (8 * I)), lanes);
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, own), own)
            }))
        }
    }
    #[inline(always)]
    fn all(self) -> bool {
        // SAFETY: the features are present.
        unsafe { _mm256_movemask_epi8(_mm256_and_si256(self.0[0], self.0[1])) == -1 }
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the features are present.
        unsafe { _mm256_movemask_epi8(_mm256_or_si256(self.0[0], self.0[1])) != 0 }
    }
    methods! { Mask16, 2:
        and = |a, b| _mm256_and_si256(a, b);
        or = |a, b| _mm256_or_si256(a, b);
        xor = |a, b| _mm256_xor_si256(a, b);
        not = |a| _mm256_xor_si256(a, _mm256_set1_epi32(-1));
        but_not = |a, b| _mm256_andnot_si256(b, a);
    }
}

#[inline(always)]
unsafe fn blend_f32(mask: Mask16, a: F32x16, b: F32x16) -> F32x16 {
    F32x16(each!(2, I => {
        // SAFETY: by the caller's promise.
        unsafe { _mm256_blendv_ps(b.0[I], a.0[I], _mm256_castsi256_ps(mask.0[I])) }
    }))
}

#[inline(always)]
unsafe fn blend_f64(mask: Mask16, a: F64x16, b: F64x16) -> F64x16 {
    // SAFETY: by the caller's promise.
    unsafe {
        let mask = mask.wide();
        F64x16(each!(4, I => _mm256_blendv_pd(b.0[I], a.0[I], _mm256_castsi256_pd(mask[I]))))
    }
}

registers! { Avx2, W, memory;
    /// Lanes of `f32`.
    F32x16: f32 = [__m256; 2], _mm256_set1_ps as f32, _mm256_loadu_ps, _mm256_storeu_ps, blend_f32;
    /// Lanes of `f64`.
    F64x16: f64 = [__m256d; 4], _mm256_set1_pd as f64, _mm256_loadu_pd, _mm256_storeu_pd, blend_f64;
}

impl Number for F32x16 {
    methods! { F32x16, 2:
        add = |a, b| _mm256_add_ps(a, b);
        sub = |a, b| _mm256_sub_ps(a, b);
        mul = |a, b| _mm256_mul_ps(a, b);
        div = |a, b| _mm256_div_ps(a, b);
        neg = |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0));
        abs = |a| _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
        // The hardware gives the second operand for zeros and NaN: both orders together settle -0, two blends NaN.
        min = |a, b| {
            let least = _mm256_or_ps(_mm256_min_ps(a, b), _mm256_min_ps(b, a));
            let least = _mm256_blendv_ps(least, a, _mm256_cmp_ps::<_CMP_UNORD_Q>(b, b));
            _mm256_blendv_ps(least, b, _mm256_cmp_ps::<_CMP_UNORD_Q>(a, a))
        };
        max = |a, b| {
            let greatest = _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
            let greatest = _mm256_blendv_ps(greatest, a, _mm256_cmp_ps::<_CMP_UNORD_Q>(b, b));
            _mm256_blendv_ps(greatest, b, _mm256_cmp_ps::<_CMP_UNORD_Q>(a, a))
        };
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Mask16 {
        Mask16(each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0[I], other.0[I])) }
        }))
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Mask16 {
        Mask16(each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NEQ_UQ>(self.0[I], other.0[I])) }
        }))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask16 {
        Mask16(each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0[I], other.0[I])) }
        }))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask16 {
        Mask16(each!(2, I => {
            // SAFETY: the features are present (see the module).
            unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0[I], other.0[I])) }
        }))
    }
}

impl Float for F32x16 {
    const FUSED: bool = true;
    methods! { F32x16, 2:
        sqrt = |a| _mm256_sqrt_ps(a);
        floor = |a| _mm256_round_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
        ceil = |a| _mm256_round_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
        trunc = |a| _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
        round_even = |a| _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        copysign = |a, b| {
            let sign = _mm256_set1_ps(-0.0);
            _mm256_or_ps(_mm256_andnot_ps(sign, a), _mm256_and_ps(sign, b))
        };
        mul_add = |a, b, c| _mm256_fmadd_ps(a, b, c);
        fused = |a, b, c| _mm256_fmadd_ps(a, b, c);
        // The second operand where one is NaN.
        bounded = |a, low, high| _mm256_min_ps(_mm256_max_ps(a, low), high);
    }
}

impl Number for F64x16 {
    methods! { F64x16, 4:
        add = |a, b| _mm256_add_pd(a, b);
        sub = |a, b| _mm256_sub_pd(a, b);
        mul = |a, b| _mm256_mul_pd(a, b);
        div = |a, b| _mm256_div_pd(a, b);
        neg = |a| _mm256_xor_pd(a, _mm256_set1_pd(-0.0));
        abs = |a| _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
        min = |a, b| {
            let least = _mm256_or_pd(_mm256_min_pd(a, b), _mm256_min_pd(b, a));
            let least = _mm256_blendv_pd(least, a, _mm256_cmp_pd::<_CMP_UNORD_Q>(b, b));
            _mm256_blendv_pd(least, b, _mm256_cmp_pd::<_CMP_UNORD_Q>(a, a))
        };
        max = |a, b| {
            let greatest = _mm256_and_pd(_mm256_max_pd(a, b), _mm256_max_pd(b, a));
            let greatest = _mm256_blendv_pd(greatest, a, _mm256_cmp_pd::<_CMP_UNORD_Q>(b, b));
            _mm256_blendv_pd(greatest, b, _mm256_cmp_pd::<_CMP_UNORD_Q>(a, a))
        };
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Mask16 {
        // SAFETY: the features are present.
        unsafe {
            Mask16::narrow(
                each!(4, I => _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0[I], other.0[I]))),
            )
        }
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Mask16 {
        // SAFETY: the features are present.
        unsafe {
            Mask16::narrow(
                each!(4, I => _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_NEQ_UQ>(self.0[I], other.0[I]))),
            )
        }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask16 {
        // SAFETY: the features are present.
        unsafe {
            Mask16::narrow(
                each!(4, I => _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0[I], other.0[I]))),
            )
        }
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask16 {
        // SAFETY: the features are present.
        unsafe {
            Mask16::narrow(
                each!(4, I => _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0[I], other.0[I]))),
            )
        }
    }
}

impl Float for F64x16 {
    const FUSED: bool = true;
    methods! { F64x16, 4:
        sqrt = |a| _mm256_sqrt_pd(a);
        floor = |a| _mm256_round_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
        ceil = |a| _mm256_round_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
        trunc = |a| _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
        round_even = |a| _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        copysign = |a, b| {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(sign, a), _mm256_and_pd(sign, b))
        };
        mul_add = |a, b, c| _mm256_fmadd_pd(a, b, c);
        fused = |a, b, c| _mm256_fmadd_pd(a, b, c);
        // The second operand where one is NaN.
        bounded = |a, low, high| _mm256_min_pd(_mm256_max_pd(a, low), high);
    }
}

impl Cast<F64x16> for F32x16 {
    #[inline(always)]
    fn cast(self) -> F64x16 {
        // SAFETY: the features are present.
        unsafe {
            F64x16([
                _mm256_cvtps_pd(_mm256_castps256_ps128(self.0[0])),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0[0])),
                _mm256_cvtps_pd(_mm256_castps256_ps128(self.0[1])),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0[1])),
            ])
        }
    }
}

impl Cast<F32x16> for F64x16 {
    #[inline(always)]
    fn cast(self) -> F32x16 {
        // SAFETY: the features are present.
        F32x16(each!(2, I => unsafe {
            _mm256_set_m128(_mm256_cvtpd_ps(self.0[2 * I + 1]), _mm256_cvtpd_ps(self.0[2 * I]))
        }))
    }
}
