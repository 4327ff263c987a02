//! `pow`, `cbrt`, `hypot`.
//!
//! Largest errors found (ulp): `f32` 0.51; `f64` pow 1.0, cbrt 1.5, hypot 2.0.

use super::core::{c, narrow, two_product, wide};
use super::exp::{exp_short, exp_sum};
use super::log::{ln_double, ln_short};
use crate::lanes::{Cast, Float, Integer, Lanes, Mask, Number, Value, bitcast};

/// What `pow` is beside its magnitude `power = exp(y ln|x|)`.
#[inline(always)]
fn pow_special<L: Lanes>(x: L::F64, y: L::F64, power: L::F64) -> L::F64 {
    let (zero, one, infinity) = (c::<L>(0.0), c::<L>(1.0), c::<L>(f64::INFINITY));
    let a = x.abs();
    let grows = zero.lt(y);
    // |x| of 0 or infinity.
    let end = a.eq(zero).or(a.eq(infinity));
    let huge = a.eq(infinity).xor(grows.not());
    let power = L::F64::select(end, L::F64::select(huge, infinity, zero), power);
    // |y| infinite.
    let high = one.lt(a).xor(grows.not());
    let limit = L::F64::select(a.eq(one), one, L::F64::select(high, infinity, zero));
    let power = L::F64::select(y.abs().eq(infinity), limit, power);
    // Signs: odd whole exponents keep that of x; other exponents of negative numbers have no result.
    let whole = y.trunc().eq(y);
    let half = y.mul(c::<L>(0.5));
    let odd = whole.but_not(half.trunc().eq(half));
    let power = L::F64::select(odd, power.copysign(x), power);
    let none = x.lt(zero).but_not(whole).but_not(a.eq(infinity));
    let power = L::F64::select(none.or(x.is_nan()).or(y.is_nan()), c::<L>(f64::NAN), power);
    L::F64::select(y.eq(zero).or(x.eq(one)), one, power)
}

/// `|x|`, or 1 where it has no logarithm.
#[inline(always)]
fn base<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let usual = c::<L>(0.0).lt(a).and(a.lt(c::<L>(f64::INFINITY)));
    L::F64::select(usual, a, c::<L>(1.0))
}

#[inline(always)]
pub(super) fn pow_f64<L: Lanes>(x: L::F64, y: L::F64) -> L::F64 {
    let (high, low) = ln_double::<L>(base::<L>(x));
    // Larger exponents give 0, 1 or infinity all the same.
    let bounded = y.bounded(c::<L>(-1e20), c::<L>(1e20));
    let (product, error) = two_product(bounded, high);
    let error = bounded.fused(low, error);
    let error = L::F64::select(product.abs().lt(c::<L>(800.0)), error, c::<L>(0.0));
    pow_special::<L>(x, y, exp_sum::<L>(product, error))
}

#[inline(always)]
pub(super) fn pow_f32<L: Lanes>(x: L::F32, y: L::F32) -> L::F32 {
    let (x, y) = (wide::<L>(x), wide::<L>(y));
    let power = exp_short::<L>(y.mul(ln_short::<L>(base::<L>(x))));
    narrow::<L>(pow_special::<L>(x, y, power))
}

#[inline(always)]
pub(super) fn cbrt_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let tiny = a.lt(c::<L>(f64::MIN_POSITIVE));
    let scaled = L::F64::select(tiny, a.mul(c::<L>(18014398509481984.0)), a);
    // A third of the bits, which are roughly a logarithm.
    let bits: L::U64 = bitcast(scaled);
    let high: L::F64 = bits.shr(L::U32::splat(32)).cast();
    let third = high.mul(c::<L>(1.0 / 3.0)).add(c::<L>(715094163.0)).trunc();
    let third: L::U64 = third.cast();
    let mut y: L::F64 = bitcast(third.shl(L::U32::splat(32)));
    // Halley's steps, each with three times the digits.
    for _ in 0..3 {
        let cube = y.mul(y).mul(y);
        let sum = cube.add(scaled);
        y = y.mul(sum.add(scaled).div(sum.add(cube)));
    }
    // One of Newton's, with the error of the cube.
    let (square, low) = two_product(y, y);
    let (cube, rest) = two_product(square, y);
    let rest = low.fused(y, rest);
    let off = cube.sub(scaled).add(rest);
    let y = y.sub(off.div(square.mul(c::<L>(3.0))));
    let y = L::F64::select(tiny, y.mul(c::<L>(1.0 / 262144.0)), y);
    let same = x.eq(c::<L>(0.0)).or(a.lt(c::<L>(f64::INFINITY)).not());
    L::F64::select(same, x, y.copysign(x))
}

#[inline(always)]
pub(super) fn cbrt_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(L::cbrt_f64(wide::<L>(x)))
}

#[inline(always)]
pub(super) fn hypot_f64<L: Lanes>(x: L::F64, y: L::F64) -> L::F64 {
    let (a, b) = (x.abs(), y.abs());
    let swap = a.lt(b);
    let (large, small) = (L::F64::select(swap, b, a), L::F64::select(swap, a, b));
    let t = small.div(large);
    let result = large.mul(t.fused(t, c::<L>(1.0)).sqrt());
    let result = L::F64::select(large.eq(c::<L>(0.0)), c::<L>(0.0), result);
    let infinite = a.eq(c::<L>(f64::INFINITY)).or(b.eq(c::<L>(f64::INFINITY)));
    let result = L::F64::select(a.is_nan().or(b.is_nan()), c::<L>(f64::NAN), result);
    L::F64::select(infinite, c::<L>(f64::INFINITY), result)
}

#[inline(always)]
pub(super) fn hypot_f32<L: Lanes>(x: L::F32, y: L::F32) -> L::F32 {
    // Squares of `f32` neither overflow nor vanish here.
    let (a, b) = (wide::<L>(x), wide::<L>(y));
    let result = a.fused(a, b.mul(b)).sqrt();
    let infinity = c::<L>(f64::INFINITY);
    let infinite = a.abs().eq(infinity).or(b.abs().eq(infinity));
    narrow::<L>(L::F64::select(infinite, infinity, result))
}
