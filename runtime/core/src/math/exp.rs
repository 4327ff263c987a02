//! `exp`, `exp2`, `exp_m1`.
//!
//! Largest errors found (ulp): `f32` exp 0.96, others 0.51; `f64` exp 1.0, exp2 1.0, exp_m1 2.0.

use super::coefficients::{EXP, EXP_SHORT, EXP_SINGLE};
use super::core::{c, narrow, poly, power_of_two, scale, wide};
use crate::lanes::{Float, Integer, Lanes, Mask, Number, Value, bitcast};
use std::f64::consts::LOG2_E;

/// The high 32 bits of ln 2: products with exponents are exact.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

const LN2_NINE_BITS: f32 = 0.693359375;
const LN2_AFTER_NINE_BITS: f32 = -0.00021219444;
/// Adding it to an exponent leaves that, with its bias, in the low 23 bits.
const MAGIC_BIASED: f32 = 12582912.0 + 127.0;

/// `k` and `r` with `x + low = k ln 2 + r` and `|r| <= ln(2) / 2`, about.
#[inline(always)]
fn reduce<L: Lanes>(x: L::F64, low: L::F64) -> (L::F64, L::F64) {
    let k = x.mul(c::<L>(LOG2_E)).round_even();
    let r = x.sub(k.mul(c::<L>(LN2_HIGH)));
    (k, r.sub(k.mul(c::<L>(LN2_LOW)).sub(low)))
}

/// `exp(x + low)` for a small `low`; NaN gives some number.
#[inline(always)]
pub(super) fn exp_sum<L: Lanes>(x: L::F64, low: L::F64) -> L::F64 {
    let x = x.bounded(c::<L>(-746.0), c::<L>(710.0));
    let (k, r) = reduce::<L>(x, low);
    let e = r.mul(r).fused(poly(r, &EXP), r).add(c::<L>(1.0));
    scale::<L>(e, k)
}

/// `exp(x)` for `f32`; NaN gives some number.
#[inline(always)]
pub(super) fn exp_short<L: Lanes>(x: L::F64) -> L::F64 {
    let x = x.bounded(c::<L>(-200.0), c::<L>(200.0));
    let k = x.mul(c::<L>(LOG2_E)).round_even();
    let r = x.sub(k.mul(c::<L>(std::f64::consts::LN_2)));
    let e = r.mul(r).fused(poly(r, &EXP_SHORT), r).add(c::<L>(1.0));
    e.mul(power_of_two::<L>(k))
}

#[inline(always)]
pub(super) fn exp_f64<L: Lanes>(x: L::F64) -> L::F64 {
    Value::select(x.is_nan(), x, exp_sum::<L>(x, c::<L>(0.0)))
}

#[inline(always)]
pub(super) fn exp2_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let bounded = x.bounded(c::<L>(-1080.0), c::<L>(1025.0));
    let k = bounded.round_even();
    let r = bounded.sub(k);
    // The product with ln 2 and its error.
    let (high, low) = super::core::two_product(r, c::<L>(std::f64::consts::LN_2));
    let low = low.add(r.mul(c::<L>(2.3190468138462996e-17)));
    let tail = high.mul(high).fused(poly(high, &EXP), low);
    let result = scale::<L>(high.add(tail).add(c::<L>(1.0)), k);
    Value::select(x.is_nan(), x, result)
}

#[inline(always)]
pub(super) fn exp_m1_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let bounded = x.bounded(c::<L>(-50.0), c::<L>(710.0));
    let (k, r) = reduce::<L>(bounded, c::<L>(0.0));
    let e = r.mul(r).fused(poly(r, &EXP), r);
    let large = scale::<L>(e.add(c::<L>(1.0)), k);
    let near = k.min(c::<L>(60.0));
    let power = power_of_two::<L>(near);
    let small = e.fused(power, power.sub(c::<L>(1.0)));
    let result = Value::select(k.lt(c::<L>(60.0)), small, large);
    // Zeros keep their sign.
    Value::select(x.is_nan().or(x.eq(c::<L>(0.0))), x, result)
}

/// In single precision: half the work of a way by `f64`. Nothing is fused, so that all instruction sets agree in each bit.
#[inline(always)]
pub(super) fn exp_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let c = L::F32::splat;
    let bounded = x.bounded(c(-105.0), c(90.0));
    let k = bounded.mul(c(std::f32::consts::LOG2_E)).round_even();
    // Products with 9 bits of ln 2 are exact.
    let r = bounded.sub(k.mul(c(LN2_NINE_BITS)));
    let r = r.sub(k.mul(c(LN2_AFTER_NINE_BITS)));
    let [rest @ .., highest] = EXP_SINGLE;
    let tail = rest
        .iter()
        .rfold(c(highest), |sum, &x| sum.mul(r).add(c(x)));
    let e = r.mul(r).mul(tail).add(r).add(c(1.0));
    // In two steps, so that only the last one rounds.
    let half = k.mul(c(0.5)).floor();
    let result = e.mul(power_of_two_f32::<L>(half));
    let result = result.mul(power_of_two_f32::<L>(k.sub(half)));
    Value::select(x.is_nan(), x, result)
}

/// `2^k` for a whole `k` from -126 to 127.
#[inline(always)]
fn power_of_two_f32<L: Lanes>(k: L::F32) -> L::F32 {
    let biased: L::I32 = bitcast(k.add(L::F32::splat(MAGIC_BIASED)));
    bitcast(biased.shl(L::U32::splat(23)))
}

#[inline(always)]
pub(super) fn exp2_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x).bounded(c::<L>(-280.0), c::<L>(280.0));
    let k = y.round_even();
    let r = y.sub(k).mul(c::<L>(std::f64::consts::LN_2));
    let e = r.mul(r).fused(poly(r, &EXP_SHORT), r).add(c::<L>(1.0));
    Value::select(x.is_nan(), x, narrow::<L>(e.mul(power_of_two::<L>(k))))
}

/// `exp(x) - 1` for `f32`; NaN gives some number.
#[inline(always)]
pub(super) fn exp_m1_short<L: Lanes>(x: L::F64) -> L::F64 {
    let x = x.bounded(c::<L>(-200.0), c::<L>(200.0));
    let k = x.mul(c::<L>(LOG2_E)).round_even();
    let r = x.sub(k.mul(c::<L>(std::f64::consts::LN_2)));
    let e = r.mul(r).fused(poly(r, &EXP_SHORT), r);
    let power = power_of_two::<L>(k);
    e.fused(power, power.sub(c::<L>(1.0)))
}

#[inline(always)]
pub(super) fn exp_m1_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let keep = x.is_nan().or(x.eq(L::F32::splat(0.0)));
    Value::select(keep, x, narrow::<L>(exp_m1_short::<L>(wide::<L>(x))))
}
