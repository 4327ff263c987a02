//! `ln`, `ln_1p`, `log2`, `log10`.
//!
//! Largest errors found (ulp): `f32` 0.51; `f64` ln 1.0, ln_1p 2.0, log2 1.0, log10 1.0.

use super::coefficients::{LN, LN_SHORT, LN_TAIL};
use super::core::{c, narrow, poly, quick_sum, two_product, two_sum, wide};
use crate::lanes::{Cast, Float, Integer, Lanes, Mask, Number, Value, bitcast};

const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

/// The bits of `sqrt(1 / 2)`.
const ROOT: i64 = 0x3fe6_a09e_667f_3bcd;

/// `e` and `m` with `x = 2^e m` and `m` from `sqrt(1 / 2)` to `sqrt(2)`; for positive finite `x`.
#[inline(always)]
fn split<L: Lanes>(x: L::F64) -> (L::F64, L::F64) {
    let tiny = x.lt(c::<L>(f64::MIN_POSITIVE));
    let scaled = L::F64::select(tiny, x.mul(c::<L>(18014398509481984.0)), x);
    let bits: L::I64 = bitcast(scaled);
    let e = bits.sub(L::I64::splat(ROOT)).shr(L::U32::splat(52));
    let m: L::F64 = bitcast(bits.sub(e.shl(L::U32::splat(52))));
    let e: L::F64 = e.cast();
    (e.sub(L::F64::select(tiny, c::<L>(54.0), c::<L>(0.0))), m)
}

/// What `ln` and its kin are outside the positive finite numbers.
#[inline(always)]
fn special<L: Lanes>(x: L::F64, result: L::F64) -> L::F64 {
    let infinity = c::<L>(f64::INFINITY);
    let result = L::F64::select(x.eq(infinity), infinity, result);
    let result = L::F64::select(x.eq(c::<L>(0.0)), infinity.neg(), result);
    // Not a number, or negative.
    L::F64::select(c::<L>(0.0).le(x), result, c::<L>(f64::NAN))
}

/// `ln(x)` for positive finite `x`.
#[inline(always)]
fn ln_positive<L: Lanes>(x: L::F64) -> L::F64 {
    let (e, m) = split::<L>(x);
    let f = m.sub(c::<L>(1.0));
    let s = f.div(f.add(c::<L>(2.0)));
    let z = s.mul(s);
    let half = f.mul(f).mul(c::<L>(0.5));
    // ln(1 + f) = f - f^2 / 2 + s (f^2 / 2 + s^2 P(s^2))
    let rest = s.mul(half.add(z.mul(poly(z, &LN))));
    let low = rest.add(e.mul(c::<L>(LN2_LOW)));
    e.mul(c::<L>(LN2_HIGH)).sub(half.sub(low).sub(f))
}

#[inline(always)]
pub(super) fn ln_f64<L: Lanes>(x: L::F64) -> L::F64 {
    special::<L>(x, ln_positive::<L>(x))
}

/// `ln(x)` for `f32`, from positive finite `x`.
#[inline(always)]
pub(super) fn ln_short<L: Lanes>(x: L::F64) -> L::F64 {
    // Numbers of `f32` are never tiny here.
    let bits: L::I64 = bitcast(x);
    let e = bits.sub(L::I64::splat(ROOT)).shr(L::U32::splat(52));
    let m: L::F64 = bitcast(bits.sub(e.shl(L::U32::splat(52))));
    let e: L::F64 = e.cast();
    let f = m.sub(c::<L>(1.0));
    let s = f.div(f.add(c::<L>(2.0)));
    let z = s.mul(s);
    let ln = s.mul(z).fused(poly(z, &LN_SHORT), s.add(s));
    e.fused(c::<L>(std::f64::consts::LN_2), ln)
}

#[inline(always)]
pub(super) fn ln_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    narrow::<L>(special::<L>(y, ln_short::<L>(y)))
}

#[inline(always)]
pub(super) fn log2_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    let bits: L::I64 = bitcast(y);
    let e = bits.sub(L::I64::splat(ROOT)).shr(L::U32::splat(52));
    let m: L::F64 = bitcast(bits.sub(e.shl(L::U32::splat(52))));
    let e: L::F64 = e.cast();
    let f = m.sub(c::<L>(1.0));
    let s = f.div(f.add(c::<L>(2.0)));
    let z = s.mul(s);
    let ln = s.mul(z).fused(poly(z, &LN_SHORT), s.add(s));
    let result = ln.fused(c::<L>(std::f64::consts::LOG2_E), e);
    narrow::<L>(special::<L>(y, result))
}

#[inline(always)]
pub(super) fn log10_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    let result = ln_short::<L>(y).mul(c::<L>(std::f64::consts::LOG10_E));
    narrow::<L>(special::<L>(y, result))
}

/// `e` and, in two parts, `ln(m)` of [`split`], to about 2^-65 of the larger part.
#[inline(always)]
fn ln_parts<L: Lanes>(x: L::F64) -> (L::F64, L::F64, L::F64) {
    let (e, m) = split::<L>(x);
    let f = m.sub(c::<L>(1.0));
    let (sum, error) = two_sum(m, c::<L>(1.0));
    // s = f / (m + 1), with the rest of the division.
    let s = f.div(sum);
    let (product, low) = two_product(s, sum);
    let t = f.sub(product).sub(low).sub(s.mul(error)).div(sum);
    // z = s^2.
    let (z, y) = two_product(s, s);
    let y = y.add(s.mul(t).mul(c::<L>(2.0)));
    // 2 s + s z (2 / 3 + z P(z)): the factor in two parts.
    let (third, bottom) = (c::<L>(0.6666666666666666), c::<L>(3.700743415417188e-17));
    let (factor, rest) = quick_sum(third, z.mul(poly(z, &LN_TAIL)));
    let rest = rest.add(bottom);
    let (cube, under) = two_product(s, z);
    let under = under.add(s.mul(y)).add(t.mul(z));
    let (term, tail) = two_product(cube, factor);
    let tail = tail.add(cube.mul(rest)).add(under.mul(factor));
    let (high, low) = quick_sum(s.add(s), term);
    let low = low.add(tail).add(t.add(t));
    let (high, low) = quick_sum(high, low);
    (e, high, low)
}

/// `ln(x)` in two parts, for positive finite `x`.
#[inline(always)]
pub(super) fn ln_double<L: Lanes>(x: L::F64) -> (L::F64, L::F64) {
    let (e, high, low) = ln_parts::<L>(x);
    // Exponents times the first part are exact.
    let (sum, error) = two_sum(e.mul(c::<L>(LN2_HIGH)), high);
    let (second, rest) = two_product(e, c::<L>(LN2_LOW));
    let (sum, more) = two_sum(sum, second);
    let low = error.add(more).add(low).add(rest);
    let low = low.add(e.mul(c::<L>(1.1612227229362532e-26)));
    quick_sum(sum, low)
}

#[inline(always)]
pub(super) fn log2_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let (e, high, low) = ln_parts::<L>(x);
    let (product, error) = two_product(high, c::<L>(std::f64::consts::LOG2_E));
    let error = error
        .add(low.mul(c::<L>(std::f64::consts::LOG2_E)))
        .add(high.mul(c::<L>(2.0355273740931033e-17)));
    let (sum, rest) = two_sum(e, product);
    special::<L>(x, sum.add(rest.add(error)))
}

#[inline(always)]
pub(super) fn log10_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let (high, low) = ln_double::<L>(x);
    let (product, error) = two_product(high, c::<L>(std::f64::consts::LOG10_E));
    let error = error
        .add(low.mul(c::<L>(std::f64::consts::LOG10_E)))
        .add(high.mul(c::<L>(1.098319650216765e-17)));
    special::<L>(x, product.add(error))
}

/// `ln(1 + x)` for `x` above -1, not infinite.
#[inline(always)]
fn ln_1p_positive<L: Lanes>(x: L::F64) -> L::F64 {
    let (sum, lost) = two_sum(c::<L>(1.0), x);
    let result = ln_positive::<L>(sum).add(lost.div(sum));
    L::F64::select(x.abs().lt(c::<L>(1e-17)), x, result)
}

#[inline(always)]
pub(super) fn ln_1p_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let sum = x.add(c::<L>(1.0));
    let usual = x.abs().lt(c::<L>(f64::INFINITY)).and(c::<L>(-1.0).lt(x));
    let result = ln_1p_positive::<L>(L::F64::select(usual, x, c::<L>(0.0)));
    L::F64::select(usual, result, special::<L>(sum, sum))
}

#[inline(always)]
pub(super) fn ln_1p_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(L::ln_1p_f64(wide::<L>(x)))
}
