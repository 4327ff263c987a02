//! AVX2: integers of 32 and 64 bits, and conversions. See `avx2.rs`.

use super::avx2::{Avx2, F32x16, F64x16, Mask16, W, each, low_halves, methods, registers};
use super::avx2_memory::memory;
use super::{As, Cast, Integer, Lanes, Number, Value, bitcast};
use std::arch::x86_64::*;

/// Blends registers of 32-bit lanes.
macro_rules! blend32 {
    ($blend:ident, $name:ident) => {
        #[inline(always)]
        unsafe fn $blend(mask: Mask16, a: $name, b: $name) -> $name {
            // SAFETY: by the caller's promise.
            $name(each!(2, I => unsafe { _mm256_blendv_epi8(b.0[I], a.0[I], mask.0[I]) }))
        }
    };
}

/// Blends registers of 64-bit lanes.
macro_rules! blend64 {
    ($blend:ident, $name:ident) => {
        #[inline(always)]
        unsafe fn $blend(mask: Mask16, a: $name, b: $name) -> $name {
            // SAFETY: by the caller's promise.
            unsafe {
                let mask = mask.wide();
                $name(each!(4, I => _mm256_blendv_epi8(b.0[I], a.0[I], mask[I])))
            }
        }
    };
}

blend32!(blend_i32, I32x16);
blend32!(blend_u32, U32x16);
blend64!(blend_i64, I64x16);
blend64!(blend_u64, U64x16);

registers! { Avx2, W, memory;
    /// Lanes of `i32`.
    I32x16: i32 = [__m256i; 2], _mm256_set1_epi32 as i32, _mm256_loadu_si256, _mm256_storeu_si256, blend_i32;
    /// Lanes of `u32`.
    U32x16: u32 = [__m256i; 2], _mm256_set1_epi32 as i32, _mm256_loadu_si256, _mm256_storeu_si256, blend_u32;
    /// Lanes of `i64`.
    I64x16: i64 = [__m256i; 4], _mm256_set1_epi64x as i64, _mm256_loadu_si256, _mm256_storeu_si256, blend_i64;
    /// Lanes of `u64`.
    U64x16: u64 = [__m256i; 4], _mm256_set1_epi64x as i64, _mm256_loadu_si256, _mm256_storeu_si256, blend_u64;
}

#[inline(always)]
unsafe fn ones() -> __m256i {
    // SAFETY: by the caller's promise.
    unsafe { _mm256_set1_epi32(-1) }
}

/// The wrapping product of 64-bit lanes.
#[inline(always)]
unsafe fn mul64(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: by the caller's promise.
    unsafe {
        let cross = _mm256_mullo_epi32(a, _mm256_shuffle_epi32::<0b10_11_00_01>(b));
        let cross = _mm256_add_epi32(cross, _mm256_srli_epi64::<32>(cross));
        _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross))
    }
}

#[inline(always)]
unsafe fn flip64(a: __m256i) -> __m256i {
    // SAFETY: by the caller's promise.
    unsafe { _mm256_xor_si256(a, _mm256_set1_epi64x(i64::MIN)) }
}

#[inline(always)]
unsafe fn extend(by: U32x16) -> [__m256i; 4] {
    // SAFETY: by the caller's promise.
    unsafe {
        let by = each!(2, I => _mm256_and_si256(by.0[I], _mm256_set1_epi32(63)));
        [
            _mm256_cvtepu32_epi64(_mm256_castsi256_si128(by[0])),
            _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(by[0])),
            _mm256_cvtepu32_epi64(_mm256_castsi256_si128(by[1])),
            _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(by[1])),
        ]
    }
}

macro_rules! comparisons32 {
    ($($method:ident = |$a:ident, $b:ident| $e:expr;)*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Mask16 {
            // SAFETY: the features are present.
            Mask16(each!(2, I => unsafe { let ($a, $b) = (self.0[I], other.0[I]); $e }))
        }
    )*};
}

macro_rules! comparisons64 {
    ($($method:ident = |$a:ident, $b:ident| $e:expr;)*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Mask16 {
            // SAFETY: the features are present.
            unsafe { Mask16::narrow(each!(4, I => { let ($a, $b) = (self.0[I], other.0[I]); $e })) }
        }
    )*};
}

macro_rules! iota {
    ($name:ident, $leaf:ty) => {
        #[inline(always)]
        fn iota() -> Self {
            const LANES: [$leaf; W] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
            // SAFETY: there are enough elements.
            unsafe { Self::load(LANES.as_ptr()) }
        }
    };
}

macro_rules! number32 {
    ($name:ident, $leaf:ty, $min:ident, $max:ident) => {
        methods! { $name, 2:
            add = |a, b| _mm256_add_epi32(a, b);
            sub = |a, b| _mm256_sub_epi32(a, b);
            mul = |a, b| _mm256_mullo_epi32(a, b);
            min = |a, b| $min(a, b);
            max = |a, b| $max(a, b);
            neg = |a| _mm256_sub_epi32(_mm256_setzero_si256(), a);
        }
        iota!($name, $leaf);
        // Quotients of 32-bit integers are exact through `f64`; a zero divisor gives zero.
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            let quotient: F64x16 =
                Number::div(Cast::<F64x16>::cast(self), Cast::<F64x16>::cast(other));
            let quotient = Cast::<I64x16>::cast(crate::lanes::Float::trunc(quotient));
            let quotient: $name = quotient.cast();
            Value::select(other.eq(Self::splat(0)), Self::splat(0), quotient)
        }
        #[inline(always)]
        fn rem(self, other: Self) -> Self {
            let rest = self.sub(Number::div(self, other).mul(other));
            Value::select(other.eq(Self::splat(0)), Self::splat(0), rest)
        }
    };
}

macro_rules! integer32 {
    ($name:ident, $shr:ident) => {
        methods! { $name, 2:
            and = |a, b| _mm256_and_si256(a, b);
            or = |a, b| _mm256_or_si256(a, b);
            xor = |a, b| _mm256_xor_si256(a, b);
            not = |a| _mm256_xor_si256(a, ones());
        }
        #[inline(always)]
        fn shl(self, by: U32x16) -> Self {
            // SAFETY: the features are present.
            $name(each!(2, I => unsafe { _mm256_sllv_epi32(self.0[I], _mm256_and_si256(by.0[I], _mm256_set1_epi32(31))) }))
        }
        #[inline(always)]
        fn shr(self, by: U32x16) -> Self {
            // SAFETY: the features are present.
            $name(each!(2, I => unsafe { $shr(self.0[I], _mm256_and_si256(by.0[I], _mm256_set1_epi32(31))) }))
        }
    };
}

macro_rules! number64 {
    ($name:ident, $leaf:ty) => {
        methods! { $name, 4:
            add = |a, b| _mm256_add_epi64(a, b);
            sub = |a, b| _mm256_sub_epi64(a, b);
            mul = |a, b| mul64(a, b);
            neg = |a| _mm256_sub_epi64(_mm256_setzero_si256(), a);
        }
        iota!($name, $leaf);
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Value::select(self.lt(other), self, other)
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Value::select(self.lt(other), other, self)
        }
    };
}

macro_rules! integer64 {
    ($name:ident) => {
        methods! { $name, 4:
            and = |a, b| _mm256_and_si256(a, b);
            or = |a, b| _mm256_or_si256(a, b);
            xor = |a, b| _mm256_xor_si256(a, b);
            not = |a| _mm256_xor_si256(a, ones());
        }
        #[inline(always)]
        fn shl(self, by: U32x16) -> Self {
            // SAFETY: the features are present.
            unsafe {
                let by = extend(by);
                $name(each!(4, I => _mm256_sllv_epi64(self.0[I], by[I])))
            }
        }
    };
}

impl Number for I32x16 {
    number32!(I32x16, i32, _mm256_min_epi32, _mm256_max_epi32);
    methods! { I32x16, 2: abs = |a| _mm256_abs_epi32(a); }
    comparisons32! {
        eq = |a, b| _mm256_cmpeq_epi32(a, b);
        ne = |a, b| _mm256_xor_si256(_mm256_cmpeq_epi32(a, b), ones());
        lt = |a, b| _mm256_cmpgt_epi32(b, a);
        le = |a, b| _mm256_xor_si256(_mm256_cmpgt_epi32(a, b), ones());
    }
}

impl Integer for I32x16 {
    integer32!(I32x16, _mm256_srav_epi32);
}

impl Number for U32x16 {
    number32!(U32x16, u32, _mm256_min_epu32, _mm256_max_epu32);
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    comparisons32! {
        eq = |a, b| _mm256_cmpeq_epi32(a, b);
        ne = |a, b| _mm256_xor_si256(_mm256_cmpeq_epi32(a, b), ones());
        lt = |a, b| _mm256_xor_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a), ones());
        le = |a, b| _mm256_cmpeq_epi32(_mm256_min_epu32(a, b), a);
    }
}

impl Integer for U32x16 {
    integer32!(U32x16, _mm256_srlv_epi32);
}

impl Number for I64x16 {
    number64!(I64x16, i64);
    comparisons64! {
        eq = |a, b| _mm256_cmpeq_epi64(a, b);
        ne = |a, b| _mm256_xor_si256(_mm256_cmpeq_epi64(a, b), ones());
        lt = |a, b| _mm256_cmpgt_epi64(b, a);
        le = |a, b| _mm256_xor_si256(_mm256_cmpgt_epi64(a, b), ones());
    }
}

impl Integer for I64x16 {
    integer64!(I64x16);
    #[inline(always)]
    fn shr(self, by: U32x16) -> Self {
        // SAFETY: the features are present. Bits of a negative number are shifted inverted.
        unsafe {
            let by = extend(by);
            I64x16(each!(4, I => {
                let sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), self.0[I]);
                _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(self.0[I], sign), by[I]), sign)
            }))
        }
    }
}

impl Number for U64x16 {
    number64!(U64x16, u64);
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    comparisons64! {
        eq = |a, b| _mm256_cmpeq_epi64(a, b);
        ne = |a, b| _mm256_xor_si256(_mm256_cmpeq_epi64(a, b), ones());
        lt = |a, b| _mm256_cmpgt_epi64(flip64(b), flip64(a));
        le = |a, b| _mm256_xor_si256(_mm256_cmpgt_epi64(flip64(a), flip64(b)), ones());
    }
    // Quotients of integers below 2^50 are exact through `f64`.
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let small = Self::splat(1 << 50);
        if crate::lanes::Mask::all(self.max(other).lt(small)) {
            let quotient = Number::div(Cast::<F64x16>::cast(self), Cast::<F64x16>::cast(other));
            let quotient: I64x16 = crate::lanes::Float::trunc(quotient).cast();
            return Value::select(other.eq(Self::splat(0)), Self::splat(0), bitcast(quotient));
        }
        let mut result = self;
        for lane in 0..W {
            let divisor = other.lane(lane);
            result = result.with_lane(lane, self.lane(lane).checked_div(divisor).unwrap_or(0));
        }
        result
    }
    #[inline(always)]
    fn rem(self, other: Self) -> Self {
        let rest = self.sub(Number::div(self, other).mul(other));
        Value::select(other.eq(Self::splat(0)), Self::splat(0), rest)
    }
}

impl Integer for U64x16 {
    integer64!(U64x16);
    #[inline(always)]
    fn shr(self, by: U32x16) -> Self {
        // SAFETY: the features are present.
        unsafe {
            let by = extend(by);
            U64x16(each!(4, I => _mm256_srlv_epi64(self.0[I], by[I])))
        }
    }
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

#[inline(always)]
unsafe fn halves(x: [__m256i; 2]) -> [__m128i; 4] {
    // SAFETY: by the caller's promise.
    unsafe {
        [
            _mm256_castsi256_si128(x[0]),
            _mm256_extracti128_si256::<1>(x[0]),
            _mm256_castsi256_si128(x[1]),
            _mm256_extracti128_si256::<1>(x[1]),
        ]
    }
}

/// `x as f64` for `u64`: the high half above 2^84, the low half above 2^52; one rounding at the end.
#[inline(always)]
unsafe fn f64_of_u64(x: __m256i) -> __m256d {
    // SAFETY: by the caller's promise.
    unsafe {
        let high = _mm256_or_si256(
            _mm256_srli_epi64::<32>(x),
            _mm256_castpd_si256(_mm256_set1_pd(19342813113834066795298816.0)),
        );
        let low = _mm256_blend_epi32::<0b10101010>(
            x,
            _mm256_castpd_si256(_mm256_set1_pd(4503599627370496.0)),
        );
        let high = _mm256_sub_pd(
            _mm256_castsi256_pd(high),
            _mm256_set1_pd(19342813118337666422669312.0),
        );
        _mm256_add_pd(high, _mm256_castsi256_pd(low))
    }
}

/// As [`f64_of_u64`] for `i64`.
#[inline(always)]
unsafe fn f64_of_i64(x: __m256i) -> __m256d {
    // SAFETY: by the caller's promise.
    unsafe {
        let high = _mm256_srai_epi32::<16>(x);
        let high = _mm256_blend_epi16::<0b00110011>(high, _mm256_setzero_si256());
        let high = _mm256_add_epi64(
            high,
            _mm256_castpd_si256(_mm256_set1_pd(442721857769029238784.0)),
        );
        let low = _mm256_blend_epi16::<0b10001000>(
            x,
            _mm256_castpd_si256(_mm256_set1_pd(4503599627370496.0)),
        );
        let high = _mm256_sub_pd(
            _mm256_castsi256_pd(high),
            _mm256_set1_pd(442726361368656609280.0),
        );
        _mm256_add_pd(high, _mm256_castsi256_pd(low))
    }
}

/// `x as i32` of whole or fractional `f64` in registers: saturates, NaN is zero.
#[inline(always)]
unsafe fn i32_of_f64(x: [__m256d; 4]) -> [__m256i; 2] {
    // SAFETY: by the caller's promise.
    each!(2, I => unsafe {
        let [a, b] = each!(2, J => {
            let x = x[2 * I + J];
            // `min` and `max` give their second operand for NaN.
            let x = _mm256_and_pd(x, _mm256_cmp_pd::<_CMP_ORD_Q>(x, x));
            let x = _mm256_min_pd(_mm256_max_pd(x, _mm256_set1_pd(-2147483648.0)), _mm256_set1_pd(2147483647.0));
            _mm256_cvttpd_epi32(x)
        });
        _mm256_set_m128i(b, a)
    })
}
pub(super) use casts;

casts! {
    I32x16 => I32x16 = |x| x;
    U32x16 => U32x16 = |x| x;
    I64x16 => I64x16 = |x| x;
    U64x16 => U64x16 = |x| x;
    F32x16 => F32x16 = |x| x;
    F64x16 => F64x16 = |x| x;
    I32x16 => U32x16 = |x| U32x16(x.0);
    U32x16 => I32x16 = |x| I32x16(x.0);
    I64x16 => U64x16 = |x| U64x16(x.0);
    U64x16 => I64x16 = |x| I64x16(x.0);
    I32x16 => I64x16 = |x| { let x = halves(x.0); I64x16(each!(4, I => _mm256_cvtepi32_epi64(x[I]))) };
    I32x16 => U64x16 = |x| { let x = halves(x.0); U64x16(each!(4, I => _mm256_cvtepi32_epi64(x[I]))) };
    U32x16 => I64x16 = |x| { let x = halves(x.0); I64x16(each!(4, I => _mm256_cvtepu32_epi64(x[I]))) };
    U32x16 => U64x16 = |x| { let x = halves(x.0); U64x16(each!(4, I => _mm256_cvtepu32_epi64(x[I]))) };
    I64x16 => I32x16 = |x| I32x16(each!(2, I => low_halves(x.0[2 * I], x.0[2 * I + 1])));
    U64x16 => I32x16 = |x| I32x16(each!(2, I => low_halves(x.0[2 * I], x.0[2 * I + 1])));
    I64x16 => U32x16 = |x| U32x16(each!(2, I => low_halves(x.0[2 * I], x.0[2 * I + 1])));
    U64x16 => U32x16 = |x| U32x16(each!(2, I => low_halves(x.0[2 * I], x.0[2 * I + 1])));
    I32x16 => F32x16 = |x| F32x16(each!(2, I => _mm256_cvtepi32_ps(x.0[I])));
    I32x16 => F64x16 = |x| { let x = halves(x.0); F64x16(each!(4, I => _mm256_cvtepi32_pd(x[I]))) };
    U32x16 => F64x16 = |x| {
        let x = halves(each!(2, I => _mm256_xor_si256(x.0[I], _mm256_set1_epi32(i32::MIN))));
        F64x16(each!(4, I => _mm256_add_pd(_mm256_cvtepi32_pd(x[I]), _mm256_set1_pd(2147483648.0))))
    };
    U32x16 => F32x16 = |x| Cast::<F64x16>::cast(x).cast();
    I64x16 => F64x16 = |x| F64x16(each!(4, I => f64_of_i64(x.0[I])));
    U64x16 => F64x16 = |x| F64x16(each!(4, I => f64_of_u64(x.0[I])));
    F32x16 => I32x16 = |x| I32x16(each!(2, I => {
        // Out of range gives MIN, which has the bits of !MAX.
        let over = _mm256_cmp_ps::<_CMP_GE_OQ>(x.0[I], _mm256_set1_ps(2147483648.0));
        let whole = _mm256_xor_si256(_mm256_cvttps_epi32(x.0[I]), _mm256_castps_si256(over));
        _mm256_and_si256(whole, _mm256_castps_si256(_mm256_cmp_ps::<_CMP_ORD_Q>(x.0[I], x.0[I])))
    }));
    F64x16 => I32x16 = |x| I32x16(i32_of_f64(x.0));
    F64x16 => U32x16 = |x| {
        let x = each!(4, I => {
            let x = _mm256_min_pd(_mm256_max_pd(x.0[I], _mm256_setzero_pd()), _mm256_set1_pd(4294967295.0));
            let whole = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(x);
            _mm256_sub_pd(whole, _mm256_set1_pd(2147483648.0))
        });
        let x = i32_of_f64(x);
        U32x16(each!(2, I => _mm256_xor_si256(x[I], _mm256_set1_epi32(i32::MIN))))
    };
    F32x16 => U32x16 = |x| Cast::<F64x16>::cast(x).cast();
}

// What is out of the range of 2^51 goes lane by lane.
impl Cast<I64x16> for F64x16 {
    #[inline(always)]
    fn cast(self) -> I64x16 {
        let limit = Self::splat(2251799813685248.0);
        if crate::lanes::Mask::all(self.abs().lt(limit)) {
            // SAFETY: the features are present. Above 1.5 * 2^52 the low bits are the integer.
            return unsafe {
                let magic = _mm256_set1_pd(6755399441055744.0);
                I64x16(each!(4, I => {
                    let whole = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(self.0[I]);
                    _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(whole, magic)), _mm256_castpd_si256(magic))
                }))
            };
        }
        lanewise(self)
    }
}

// A `u64` below 2^53 is exact as `f64`, so that one rounding remains.
impl Cast<F32x16> for U64x16 {
    #[inline(always)]
    fn cast(self) -> F32x16 {
        if crate::lanes::Mask::all(self.lt(Self::splat(1 << 53))) {
            return Cast::<F64x16>::cast(self).cast();
        }
        lanewise(self)
    }
}

#[inline(always)]
fn lanewise<A: Value, B: Value>(x: A) -> B
where
    A::T: As<B::T>,
{
    B::from_lanes(|lane| x.lane(lane).to())
}

macro_rules! lanewise {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to { lanewise(self) }
        }
    )*)*};
}

lanewise! {
    F32x16 => I64x16, U64x16;
    F64x16 => U64x16;
    I64x16 => F32x16;
}
