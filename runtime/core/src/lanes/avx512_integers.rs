//! AVX-512: integers of 32 and 64 bits, and conversions. See `avx512.rs`.

use super::avx2::{each, methods, registers};
use super::avx512::{Avx512, F32x32, F64x32, Mask32, W, compare};
use super::avx512_memory::memory;
use super::{Cast, Float, Integer, Lanes, Mask, Number, Value, bitcast};
use std::arch::x86_64::*;

macro_rules! blends {
    ($($blend:ident, $name:ident, $n:tt, $bits:ty, $intrinsic:ident;)*) => {$(
        #[inline(always)]
        unsafe fn $blend(mask: Mask32, a: $name, b: $name) -> $name {
            // SAFETY: by the caller's promise.
            $name(each!($n, I => unsafe { $intrinsic((mask.0 >> (W / $n * I)) as $bits, b.0[I], a.0[I]) }))
        }
    )*};
}

blends! {
    blend_i32, I32x32, 2, u16, _mm512_mask_blend_epi32;
    blend_u32, U32x32, 2, u16, _mm512_mask_blend_epi32;
    blend_i64, I64x32, 4, u8, _mm512_mask_blend_epi64;
    blend_u64, U64x32, 4, u8, _mm512_mask_blend_epi64;
}

registers! { Avx512, W, memory;
    /// Lanes of `i32`.
    I32x32: i32 = [__m512i; 2], _mm512_set1_epi32 as i32, _mm512_loadu_si512, _mm512_storeu_si512, blend_i32;
    /// Lanes of `u32`.
    U32x32: u32 = [__m512i; 2], _mm512_set1_epi32 as i32, _mm512_loadu_si512, _mm512_storeu_si512, blend_u32;
    /// Lanes of `i64`.
    I64x32: i64 = [__m512i; 4], _mm512_set1_epi64 as i64, _mm512_loadu_si512, _mm512_storeu_si512, blend_i64;
    /// Lanes of `u64`.
    U64x32: u64 = [__m512i; 4], _mm512_set1_epi64 as i64, _mm512_loadu_si512, _mm512_storeu_si512, blend_u64;
}

#[inline(always)]
unsafe fn ones() -> __m512i {
    // SAFETY: by the caller's promise.
    unsafe { _mm512_set1_epi32(-1) }
}

#[inline(always)]
unsafe fn halves(x: [__m512i; 2]) -> [__m256i; 4] {
    // SAFETY: by the caller's promise.
    unsafe {
        [
            _mm512_castsi512_si256(x[0]),
            _mm512_extracti64x4_epi64::<1>(x[0]),
            _mm512_castsi512_si256(x[1]),
            _mm512_extracti64x4_epi64::<1>(x[1]),
        ]
    }
}

#[inline(always)]
unsafe fn joined(x: [__m256i; 4]) -> [__m512i; 2] {
    // SAFETY: by the caller's promise.
    each!(2, I => unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(x[2 * I]), x[2 * I + 1]) })
}

#[inline(always)]
unsafe fn extend(by: U32x32) -> [__m512i; 4] {
    // SAFETY: by the caller's promise.
    unsafe {
        let by = halves(each!(2, I => _mm512_and_si512(by.0[I], _mm512_set1_epi32(63))));
        each!(4, I => _mm512_cvtepu32_epi64(by[I]))
    }
}

macro_rules! comparisons {
    ($n:tt, $eq:ident, $ne:ident, $lt:ident, $le:ident) => {
        #[inline(always)]
        fn eq(self, other: Self) -> Mask32 {
            compare!($n, I => $eq(self.0[I], other.0[I]))
        }
        #[inline(always)]
        fn ne(self, other: Self) -> Mask32 {
            compare!($n, I => $ne(self.0[I], other.0[I]))
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Mask32 {
            compare!($n, I => $lt(self.0[I], other.0[I]))
        }
        #[inline(always)]
        fn le(self, other: Self) -> Mask32 {
            compare!($n, I => $le(self.0[I], other.0[I]))
        }
    };
}

macro_rules! number {
    ($name:ident, $leaf:ty, $n:tt: $add:ident, $sub:ident, $mul:ident, $min:ident, $max:ident) => {
        methods! { $name, $n:
            add = |a, b| $add(a, b);
            sub = |a, b| $sub(a, b);
            mul = |a, b| $mul(a, b);
            min = |a, b| $min(a, b);
            max = |a, b| $max(a, b);
            neg = |a| $sub(_mm512_setzero_si512(), a);
        }
        #[inline(always)]
        fn iota() -> Self {
            const LANES: [$leaf; W] = {
                let mut lanes = [0; W];
                let mut lane = 0;
                while lane < W {
                    lanes[lane] = lane as $leaf;
                    lane += 1;
                }
                lanes
            };
            // SAFETY: there are enough elements.
            unsafe { Self::load(LANES.as_ptr()) }
        }
        #[inline(always)]
        fn rem(self, other: Self) -> Self {
            let rest = self.sub(Number::div(self, other).mul(other));
            Value::select(other.eq(Self::splat(0)), Self::splat(0), rest)
        }
    };
}

// Quotients of 32-bit integers are exact through `f64`; a zero divisor gives zero.
macro_rules! divide32 {
    ($name:ident) => {
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            let quotient: F64x32 =
                Number::div(Cast::<F64x32>::cast(self), Cast::<F64x32>::cast(other));
            let quotient: I64x32 = Cast::<I64x32>::cast(quotient);
            Value::select(other.eq(Self::splat(0)), Self::splat(0), quotient.cast())
        }
    };
}

macro_rules! integer {
    ($name:ident, $n:tt) => {
        methods! { $name, $n:
            and = |a, b| _mm512_and_si512(a, b);
            or = |a, b| _mm512_or_si512(a, b);
            xor = |a, b| _mm512_xor_si512(a, b);
            not = |a| _mm512_xor_si512(a, ones());
        }
    };
}

macro_rules! shifts32 {
    ($name:ident, $shr:ident) => {
        #[inline(always)]
        fn shl(self, by: U32x32) -> Self {
            // SAFETY: the features are present.
            $name(each!(2, I => unsafe { _mm512_sllv_epi32(self.0[I], _mm512_and_si512(by.0[I], _mm512_set1_epi32(31))) }))
        }
        #[inline(always)]
        fn shr(self, by: U32x32) -> Self {
            // SAFETY: the features are present.
            $name(each!(2, I => unsafe { $shr(self.0[I], _mm512_and_si512(by.0[I], _mm512_set1_epi32(31))) }))
        }
    };
}

macro_rules! shifts64 {
    ($name:ident, $shr:ident) => {
        #[inline(always)]
        fn shl(self, by: U32x32) -> Self {
            // SAFETY: the features are present.
            unsafe {
                let by = extend(by);
                $name(each!(4, I => _mm512_sllv_epi64(self.0[I], by[I])))
            }
        }
        #[inline(always)]
        fn shr(self, by: U32x32) -> Self {
            // SAFETY: the features are present.
            unsafe {
                let by = extend(by);
                $name(each!(4, I => $shr(self.0[I], by[I])))
            }
        }
    };
}

impl Number for I32x32 {
    number!(I32x32, i32, 2: _mm512_add_epi32, _mm512_sub_epi32, _mm512_mullo_epi32, _mm512_min_epi32, _mm512_max_epi32);
    comparisons!(
        2,
        _mm512_cmpeq_epi32_mask,
        _mm512_cmpneq_epi32_mask,
        _mm512_cmplt_epi32_mask,
        _mm512_cmple_epi32_mask
    );
    methods! { I32x32, 2: abs = |a| _mm512_abs_epi32(a); }
    divide32!(I32x32);
}

impl Integer for I32x32 {
    integer!(I32x32, 2);
    shifts32!(I32x32, _mm512_srav_epi32);
}

impl Number for U32x32 {
    number!(U32x32, u32, 2: _mm512_add_epi32, _mm512_sub_epi32, _mm512_mullo_epi32, _mm512_min_epu32, _mm512_max_epu32);
    comparisons!(
        2,
        _mm512_cmpeq_epu32_mask,
        _mm512_cmpneq_epu32_mask,
        _mm512_cmplt_epu32_mask,
        _mm512_cmple_epu32_mask
    );
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    divide32!(U32x32);
}

impl Integer for U32x32 {
    integer!(U32x32, 2);
    shifts32!(U32x32, _mm512_srlv_epi32);
}

impl Number for I64x32 {
    number!(I64x32, i64, 4: _mm512_add_epi64, _mm512_sub_epi64, _mm512_mullo_epi64, _mm512_min_epi64, _mm512_max_epi64);
    comparisons!(
        4,
        _mm512_cmpeq_epi64_mask,
        _mm512_cmpneq_epi64_mask,
        _mm512_cmplt_epi64_mask,
        _mm512_cmple_epi64_mask
    );
    methods! { I64x32, 4: abs = |a| _mm512_abs_epi64(a); }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let mut result = self;
        for lane in 0..W {
            result = result.with_lane(
                lane,
                crate::lanes::Element::over(self.lane(lane), other.lane(lane)),
            );
        }
        result
    }
}

impl Integer for I64x32 {
    integer!(I64x32, 4);
    shifts64!(I64x32, _mm512_srav_epi64);
}

impl Number for U64x32 {
    number!(U64x32, u64, 4: _mm512_add_epi64, _mm512_sub_epi64, _mm512_mullo_epi64, _mm512_min_epu64, _mm512_max_epu64);
    comparisons!(
        4,
        _mm512_cmpeq_epu64_mask,
        _mm512_cmpneq_epu64_mask,
        _mm512_cmplt_epu64_mask,
        _mm512_cmple_epu64_mask
    );
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    // Quotients of integers below 2^50 are exact through `f64`.
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        if self.max(other).lt(Self::splat(1 << 50)).all() {
            let quotient = Number::div(Cast::<F64x32>::cast(self), Cast::<F64x32>::cast(other));
            let quotient: I64x32 = quotient.trunc().cast();
            return Value::select(other.eq(Self::splat(0)), Self::splat(0), bitcast(quotient));
        }
        let mut result = self;
        for lane in 0..W {
            result = result.with_lane(
                lane,
                self.lane(lane).checked_div(other.lane(lane)).unwrap_or(0),
            );
        }
        result
    }
}

impl Integer for U64x32 {
    integer!(U64x32, 4);
    shifts64!(U64x32, _mm512_srlv_epi64);
}

/// Conversions: `From => To = |x| expression`.
macro_rules! casts {
    ($($from:ty => $to:ty = |$x:ident| $e:expr;)*) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                let $x = self;
                // SAFETY: the features are present.
                #[expect(clippy::allow_attributes, reason = "only some conversions need it")]
                #[allow(unused_unsafe, reason = "some conversions use others only")]
                unsafe { $e }
            }
        }
    )*};
}
pub(super) use casts;

casts! {
    I32x32 => I32x32 = |x| x;
    U32x32 => U32x32 = |x| x;
    I64x32 => I64x32 = |x| x;
    U64x32 => U64x32 = |x| x;
    F32x32 => F32x32 = |x| x;
    F64x32 => F64x32 = |x| x;
    I32x32 => U32x32 = |x| U32x32(x.0);
    U32x32 => I32x32 = |x| I32x32(x.0);
    I64x32 => U64x32 = |x| U64x32(x.0);
    U64x32 => I64x32 = |x| I64x32(x.0);
    I32x32 => I64x32 = |x| { let x = halves(x.0); I64x32(each!(4, I => _mm512_cvtepi32_epi64(x[I]))) };
    I32x32 => U64x32 = |x| { let x = halves(x.0); U64x32(each!(4, I => _mm512_cvtepi32_epi64(x[I]))) };
    U32x32 => I64x32 = |x| { let x = halves(x.0); I64x32(each!(4, I => _mm512_cvtepu32_epi64(x[I]))) };
    U32x32 => U64x32 = |x| { let x = halves(x.0); U64x32(each!(4, I => _mm512_cvtepu32_epi64(x[I]))) };
    I64x32 => I32x32 = |x| I32x32(joined(each!(4, I => _mm512_cvtepi64_epi32(x.0[I]))));
    U64x32 => I32x32 = |x| I32x32(joined(each!(4, I => _mm512_cvtepi64_epi32(x.0[I]))));
    I64x32 => U32x32 = |x| U32x32(joined(each!(4, I => _mm512_cvtepi64_epi32(x.0[I]))));
    U64x32 => U32x32 = |x| U32x32(joined(each!(4, I => _mm512_cvtepi64_epi32(x.0[I]))));
    I32x32 => F32x32 = |x| F32x32(each!(2, I => _mm512_cvtepi32_ps(x.0[I])));
    U32x32 => F32x32 = |x| F32x32(each!(2, I => _mm512_cvtepu32_ps(x.0[I])));
    I32x32 => F64x32 = |x| { let x = halves(x.0); F64x32(each!(4, I => _mm512_cvtepi32_pd(x[I]))) };
    U32x32 => F64x32 = |x| { let x = halves(x.0); F64x32(each!(4, I => _mm512_cvtepu32_pd(x[I]))) };
    I64x32 => F64x32 = |x| F64x32(each!(4, I => _mm512_cvtepi64_pd(x.0[I])));
    U64x32 => F64x32 = |x| F64x32(each!(4, I => _mm512_cvtepu64_pd(x.0[I])));
    I64x32 => F32x32 = |x| F32x32(each!(2, I => {
        let low = _mm512_castps256_ps512(_mm512_cvtepi64_ps(x.0[2 * I]));
        _mm512_insertf32x8::<1>(low, _mm512_cvtepi64_ps(x.0[2 * I + 1]))
    }));
    U64x32 => F32x32 = |x| F32x32(each!(2, I => {
        let low = _mm512_castps256_ps512(_mm512_cvtepu64_ps(x.0[2 * I]));
        _mm512_insertf32x8::<1>(low, _mm512_cvtepu64_ps(x.0[2 * I + 1]))
    }));
    F32x32 => I32x32 = |x| I32x32(each!(2, I => {
        // Out of range gives MIN.
        let over = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(x.0[I], _mm512_set1_ps(2147483648.0));
        let ordered = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(x.0[I], x.0[I]);
        let whole = _mm512_maskz_cvttps_epi32(ordered, x.0[I]);
        _mm512_mask_mov_epi32(whole, over, _mm512_set1_epi32(i32::MAX))
    }));
    F32x32 => U32x32 = |x| U32x32(each!(2, I => {
        // Out of range gives MAX; `max` gives its second operand for NaN.
        _mm512_cvttps_epu32(_mm512_max_ps(x.0[I], _mm512_setzero_ps()))
    }));
    F64x32 => I64x32 = |x| I64x32(each!(4, I => {
        let over = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(x.0[I], _mm512_set1_pd(9223372036854775808.0));
        let ordered = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(x.0[I], x.0[I]);
        let whole = _mm512_maskz_cvttpd_epi64(ordered, x.0[I]);
        _mm512_mask_mov_epi64(whole, over, _mm512_set1_epi64(i64::MAX))
    }));
    F64x32 => U64x32 = |x| U64x32(each!(4, I => _mm512_cvttpd_epu64(_mm512_max_pd(x.0[I], _mm512_setzero_pd()))));
    F32x32 => I64x32 = |x| Cast::<F64x32>::cast(x).cast();
    F32x32 => U64x32 = |x| Cast::<F64x32>::cast(x).cast();
    F64x32 => I32x32 = |x| {
        let x = each!(4, I => {
            let over = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(x.0[I], _mm512_set1_pd(2147483648.0));
            let ordered = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(x.0[I], x.0[I]);
            let whole = _mm512_maskz_cvttpd_epi32(ordered, x.0[I]);
            _mm256_mask_mov_epi32(whole, over, _mm256_set1_epi32(i32::MAX))
        });
        I32x32(joined(x))
    };
    F64x32 => U32x32 = |x| {
        U32x32(joined(each!(4, I => _mm512_cvttpd_epu32(_mm512_max_pd(x.0[I], _mm512_setzero_pd())))))
    };
}
