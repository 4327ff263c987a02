//! `sin`, `cos`, `tan` and their inverses.
//!
//! Arguments beyond 2^20 go lane by lane. Largest errors found (ulp): `f32` 0.51; `f64` sin and cos 1.0, tan 2.5, asin
//! and acos 2.0, atan 1.5, atan2 2.0.

use super::coefficients::{ASIN, ASIN_SHORT, ATAN, ATAN_SHORT, COS, COS_SHORT, SIN, SIN_SHORT};
use super::core::{c, narrow, patched, poly, quick_sum, two_sum, whole, wide};
use crate::lanes::{Float, Integer, Lanes, Mask, Number, Value};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Beyond it the reduction is not exact.
const LIMIT: f64 = 1048576.0;

const PI_LOW: f64 = 1.2246467991473532e-16;

/// The sine and cosine of `x` up to a quarter turn, and the number of quarter turns.
struct Turn<L: Lanes> {
    sin: L::F64,
    cos: L::F64,
    quarters: L::I64,
}

#[inline(always)]
fn turn<L: Lanes>(x: L::F64) -> Turn<L> {
    let k = x.mul(c::<L>(FRAC_2_PI)).round_even();
    // pi / 2 in three parts of 33 bits, whose products with k are exact, and a fourth.
    let first = x.sub(k.mul(c::<L>(1.5707963267341256)));
    let (high, low) = two_sum(first, k.mul(c::<L>(-6.077100506303966e-11)));
    let (high, more) = two_sum(high, k.mul(c::<L>(-2.0222662487111665e-21)));
    let low = low.add(more).sub(k.mul(c::<L>(8.478427660348229e-32)));
    let (r, low) = quick_sum(high, low);
    let z = r.mul(r);
    let half = z.mul(c::<L>(0.5));
    // sin(r + low) and cos(r + low) to first order in low.
    let sin = r.add(r.mul(z).mul(poly(z, &SIN)).add(low.sub(low.mul(half))));
    let one = c::<L>(1.0).sub(half);
    let lost = c::<L>(1.0).sub(one).sub(half);
    let cos = one.add(lost.add(z.mul(z).mul(poly(z, &COS)).sub(r.mul(low))));
    // Zeros keep their sign.
    let sin = L::F64::select(x.eq(c::<L>(0.0)), x, sin);
    let quarters = whole::<L>(k);
    Turn { sin, cos, quarters }
}

#[inline(always)]
fn turn_short<L: Lanes>(x: L::F64) -> Turn<L> {
    let k = x.mul(c::<L>(FRAC_2_PI)).round_even();
    let r = x
        .sub(k.mul(c::<L>(1.5707963267341256)))
        .sub(k.mul(c::<L>(6.077100506506192e-11)));
    let z = r.mul(r);
    let sin = r.mul(z).fused(poly(z, &SIN_SHORT), r);
    let cos = z
        .mul(z)
        .fused(poly(z, &COS_SHORT), c::<L>(1.0).sub(z.mul(c::<L>(0.5))));
    let sin = L::F64::select(x.eq(c::<L>(0.0)), x, sin);
    let quarters = whole::<L>(k);
    Turn { sin, cos, quarters }
}

impl<L: Lanes> Turn<L> {
    #[inline(always)]
    fn bit(&self, by: i64, bit: i64) -> L::Mask {
        let bits = self.quarters.add(L::I64::splat(by)).and(L::I64::splat(bit));
        bits.ne(L::I64::splat(0))
    }

    /// The sine, `by` quarter turns further.
    #[inline(always)]
    fn sine(&self, by: i64) -> L::F64 {
        let value = L::F64::select(self.bit(by, 1), self.cos, self.sin);
        L::F64::select(self.bit(by, 2), value.neg(), value)
    }

    #[inline(always)]
    fn tangent(&self) -> L::F64 {
        let odd = self.bit(0, 1);
        let above = L::F64::select(odd, self.cos.neg(), self.sin);
        above.div(L::F64::select(odd, self.sin, self.cos))
    }
}

/// What lies beyond the reduction; NaN too.
#[inline(always)]
fn beyond<L: Lanes>(x: L::F64) -> L::Mask {
    x.abs().lt(c::<L>(LIMIT)).not()
}

#[inline(always)]
pub(super) fn sin_f64<L: Lanes>(x: L::F64) -> L::F64 {
    patched(turn::<L>(x).sine(0), x, beyond::<L>(x), f64::sin)
}

#[inline(always)]
pub(super) fn cos_f64<L: Lanes>(x: L::F64) -> L::F64 {
    patched(turn::<L>(x).sine(1), x, beyond::<L>(x), f64::cos)
}

#[inline(always)]
pub(super) fn tan_f64<L: Lanes>(x: L::F64) -> L::F64 {
    patched(turn::<L>(x).tangent(), x, beyond::<L>(x), f64::tan)
}

#[inline(always)]
pub(super) fn sin_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    narrow::<L>(patched(
        turn_short::<L>(y).sine(0),
        y,
        beyond::<L>(y),
        f64::sin,
    ))
}

#[inline(always)]
pub(super) fn cos_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    narrow::<L>(patched(
        turn_short::<L>(y).sine(1),
        y,
        beyond::<L>(y),
        f64::cos,
    ))
}

#[inline(always)]
pub(super) fn tan_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    narrow::<L>(patched(
        turn_short::<L>(y).tangent(),
        y,
        beyond::<L>(y),
        f64::tan,
    ))
}

/// `atan(t)` for t from 0 to 1, with its last bits.
#[inline(always)]
fn atan_unit<L: Lanes, const SHORT: bool>(t: L::F64) -> L::F64 {
    // atan(t) = pi / 4 + atan((t - 1) / (t + 1))
    let far = c::<L>(0.41421356237309503).lt(t);
    let one = c::<L>(1.0);
    let s = L::F64::select(far, t.sub(one).div(t.add(one)), t);
    let z = s.mul(s);
    let rest = s.mul(z).mul(if SHORT {
        poly(z, &ATAN_SHORT)
    } else {
        poly(z, &ATAN)
    });
    let low = L::F64::select(far, c::<L>(PI_LOW / 4.0), c::<L>(0.0));
    let base = L::F64::select(far, c::<L>(FRAC_PI_4), c::<L>(0.0));
    base.add(s.add(rest.add(low)))
}

#[inline(always)]
fn atan2_any<L: Lanes, const SHORT: bool>(y: L::F64, x: L::F64) -> L::F64 {
    let (a, b) = (y.abs(), x.abs());
    let steep = b.lt(a);
    let (small, large) = (L::F64::select(steep, b, a), L::F64::select(steep, a, b));
    let t = small.div(large);
    // Zero over zero is zero, infinity over infinity one.
    let t = L::F64::select(large.eq(c::<L>(0.0)), c::<L>(0.0), t);
    let t = L::F64::select(small.eq(c::<L>(f64::INFINITY)), c::<L>(1.0), t);
    let angle = atan_unit::<L, SHORT>(t);
    let angle = L::F64::select(
        steep,
        c::<L>(FRAC_PI_2).sub(angle.sub(c::<L>(PI_LOW / 2.0))),
        angle,
    );
    let left = c::<L>(1.0).copysign(x).lt(c::<L>(0.0));
    let angle = L::F64::select(left, c::<L>(PI).sub(angle.sub(c::<L>(PI_LOW))), angle);
    L::F64::select(
        y.is_nan().or(x.is_nan()),
        c::<L>(f64::NAN),
        angle.copysign(y),
    )
}

#[inline(always)]
pub(super) fn atan2_f64<L: Lanes>(y: L::F64, x: L::F64) -> L::F64 {
    atan2_any::<L, false>(y, x)
}

#[inline(always)]
pub(super) fn atan2_f32<L: Lanes>(y: L::F32, x: L::F32) -> L::F32 {
    narrow::<L>(atan2_any::<L, true>(wide::<L>(y), wide::<L>(x)))
}

#[inline(always)]
fn atan_any<L: Lanes, const SHORT: bool>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let steep = c::<L>(1.0).lt(a);
    let t = L::F64::select(steep, c::<L>(1.0).div(a), a);
    let angle = atan_unit::<L, SHORT>(t);
    let angle = L::F64::select(
        steep,
        c::<L>(FRAC_PI_2).sub(angle.sub(c::<L>(PI_LOW / 2.0))),
        angle,
    );
    L::F64::select(x.is_nan(), x, angle.copysign(x))
}

#[inline(always)]
pub(super) fn atan_f64<L: Lanes>(x: L::F64) -> L::F64 {
    atan_any::<L, false>(x)
}

#[inline(always)]
pub(super) fn atan_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(atan_any::<L, true>(wide::<L>(x)))
}

/// `asin` of `|x|` as `base + factor * (s + rest)`: s and rest, and whether `|x|` is above a half.
#[inline(always)]
fn arc<L: Lanes, const SHORT: bool>(x: L::F64) -> (L::F64, L::F64, L::Mask) {
    let a = x.abs();
    let large = c::<L>(0.5).lt(a);
    // asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2))
    let half = c::<L>(1.0).sub(a).mul(c::<L>(0.5));
    let z = L::F64::select(large, half, a.mul(a));
    let s = L::F64::select(large, half.sqrt(), a);
    let rest = s.mul(z).mul(if SHORT {
        poly(z, &ASIN_SHORT)
    } else {
        poly(z, &ASIN)
    });
    (s, rest, large)
}

#[inline(always)]
fn asin_any<L: Lanes, const SHORT: bool>(x: L::F64) -> L::F64 {
    let (s, rest, large) = arc::<L, SHORT>(x);
    let two = c::<L>(2.0);
    let far = c::<L>(FRAC_PI_2).sub(s.mul(two).add(rest.mul(two).sub(c::<L>(PI_LOW / 2.0))));
    L::F64::select(large, far, s.add(rest)).copysign(x)
}

#[inline(always)]
fn acos_any<L: Lanes, const SHORT: bool>(x: L::F64) -> L::F64 {
    let (s, rest, large) = arc::<L, SHORT>(x);
    let two = c::<L>(2.0);
    let negative = x.lt(c::<L>(0.0));
    let twice = s.mul(two).add(rest.mul(two));
    let far = L::F64::select(negative, c::<L>(PI).sub(twice.sub(c::<L>(PI_LOW))), twice);
    // pi / 2 - x - rest
    let (s, rest) = (s.copysign(x), rest.copysign(x));
    let near = c::<L>(FRAC_PI_2).sub(s.sub(c::<L>(PI_LOW / 2.0).sub(rest)));
    L::F64::select(large, far, near)
}

#[inline(always)]
pub(super) fn asin_f64<L: Lanes>(x: L::F64) -> L::F64 {
    asin_any::<L, false>(x)
}

#[inline(always)]
pub(super) fn acos_f64<L: Lanes>(x: L::F64) -> L::F64 {
    acos_any::<L, false>(x)
}

#[inline(always)]
pub(super) fn asin_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(asin_any::<L, true>(wide::<L>(x)))
}

#[inline(always)]
pub(super) fn acos_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(acos_any::<L, true>(wide::<L>(x)))
}
