//! `sinh`, `cosh`, `tanh` and their inverses.
//!
//! Largest errors found (ulp): `f32` 0.51; `f64` 3.0.
//!
//! Exponentials and logarithms of `f64` are called: inlined, they are nearly a third of the code of all functions on lanes.

use super::core::{c, narrow, wide};
use super::exp::{exp_m1_short, exp_short};
use crate::lanes::{Float, Lanes, Number, Value};
use std::f64::consts::LN_2;

/// Beyond it `exp(-x)` no longer counts.
const LARGE: f64 = 40.0;

#[inline(always)]
pub(super) fn sinh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let t = L::exp_m1_f64(a.min(c::<L>(LARGE)));
    let small = t.add(t.div(t.add(c::<L>(1.0)))).mul(c::<L>(0.5));
    // exp(a) / 2 may exist where exp(a) does not.
    let root = L::exp_f64(a.mul(c::<L>(0.5)));
    let large = root.mul(c::<L>(0.5)).mul(root);
    let result = L::F64::select(a.lt(c::<L>(LARGE)), small, large);
    L::F64::select(x.is_nan(), x, result.copysign(x))
}

#[inline(always)]
pub(super) fn cosh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let e = L::exp_f64(a.min(c::<L>(LARGE)));
    let half = c::<L>(0.5);
    let small = e.mul(half).add(half.div(e));
    let root = L::exp_f64(a.mul(half));
    let large = root.mul(half).mul(root);
    let result = L::F64::select(a.lt(c::<L>(LARGE)), small, large);
    L::F64::select(x.is_nan(), x, result)
}

#[inline(always)]
pub(super) fn tanh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs().min(c::<L>(LARGE));
    let t = L::exp_m1_f64(a.add(a));
    let result = t.div(t.add(c::<L>(2.0)));
    L::F64::select(x.is_nan(), x, result.copysign(x))
}

#[inline(always)]
pub(super) fn asinh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let bounded = a.min(c::<L>(1e9));
    let square = bounded.mul(bounded);
    let one = c::<L>(1.0);
    let small = L::ln_1p_f64(bounded.add(square.div(one.add(square.add(one).sqrt()))));
    let large = L::ln_f64(a).add(c::<L>(LN_2));
    let result = L::F64::select(a.lt(c::<L>(1e9)), small, large);
    L::F64::select(x.is_nan(), x, result.copysign(x))
}

#[inline(always)]
pub(super) fn acosh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let bounded = x.bounded(c::<L>(1.0), c::<L>(1e9));
    let t = bounded.sub(c::<L>(1.0));
    let small = L::ln_1p_f64(t.add(t.add(t).add(t.mul(t)).sqrt()));
    let large = L::ln_f64(x).add(c::<L>(LN_2));
    let result = L::F64::select(x.lt(c::<L>(1e9)), small, large);
    L::F64::select(c::<L>(1.0).le(x), result, c::<L>(f64::NAN))
}

#[inline(always)]
pub(super) fn atanh_f64<L: Lanes>(x: L::F64) -> L::F64 {
    let a = x.abs();
    let one = c::<L>(1.0);
    let bounded = L::F64::select(a.lt(one), a, c::<L>(0.0));
    let t = bounded.add(bounded).div(one.sub(bounded));
    let result = L::ln_1p_f64(t).mul(c::<L>(0.5));
    let result = L::F64::select(a.eq(one), c::<L>(f64::INFINITY), result);
    L::F64::select(a.le(one), result.copysign(x), c::<L>(f64::NAN))
}

#[inline(always)]
pub(super) fn sinh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let t = exp_m1_short::<L>(wide::<L>(x.abs()));
    let result = t.add(t.div(t.add(c::<L>(1.0)))).mul(c::<L>(0.5));
    Value::select(x.is_nan(), x, narrow::<L>(result).copysign(x))
}

#[inline(always)]
pub(super) fn cosh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let e = exp_short::<L>(wide::<L>(x.abs()));
    let half = c::<L>(0.5);
    Value::select(x.is_nan(), x, narrow::<L>(e.mul(half).add(half.div(e))))
}

#[inline(always)]
pub(super) fn tanh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let a = wide::<L>(x.abs()).min(c::<L>(LARGE));
    let t = exp_m1_short::<L>(a.add(a));
    let result = t.div(t.add(c::<L>(2.0)));
    Value::select(x.is_nan(), x, narrow::<L>(result).copysign(x))
}

#[inline(always)]
pub(super) fn asinh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(L::asinh_f64(wide::<L>(x)))
}

#[inline(always)]
pub(super) fn acosh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(L::acosh_f64(wide::<L>(x)))
}

#[inline(always)]
pub(super) fn atanh_f32<L: Lanes>(x: L::F32) -> L::F32 {
    narrow::<L>(L::atanh_f64(wide::<L>(x)))
}
