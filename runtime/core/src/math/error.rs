//! `erf` and `erfc` of `f32`; those of `f64` go lane by lane.
//!
//! Largest errors found (ulp): 0.51.

use super::coefficients::{ERF_SHORT, ERFC_SHORT};
use super::core::{c, narrow, poly, wide};
use super::exp::exp_short;
use crate::lanes::{Float, Lanes, Number, Value};

/// `erfc(x)` for x from 1 on.
#[inline(always)]
fn tail<L: Lanes>(x: L::F64) -> L::F64 {
    // `erfc` of 10.1 is below the numbers of `f32`.
    let x = x.bounded(c::<L>(1.0), c::<L>(10.9));
    let four = c::<L>(4.0);
    let u = x.sub(four).div(x.add(four));
    poly(u, &ERFC_SHORT).mul(exp_short::<L>(x.mul(x).neg()))
}

#[inline(always)]
pub(super) fn erf_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    let a = y.abs();
    let near = y.mul(poly(y.mul(y), &ERF_SHORT));
    let far = c::<L>(1.0).sub(tail::<L>(a)).copysign(y);
    let result = L::F64::select(a.lt(c::<L>(1.0)), near, far);
    Value::select(x.is_nan(), x, narrow::<L>(result))
}

#[inline(always)]
pub(super) fn erfc_f32<L: Lanes>(x: L::F32) -> L::F32 {
    let y = wide::<L>(x);
    let a = y.abs();
    let near = c::<L>(1.0).sub(y.mul(poly(y.mul(y), &ERF_SHORT)));
    let far = tail::<L>(a);
    let far = L::F64::select(y.lt(c::<L>(0.0)), c::<L>(2.0).sub(far), far);
    let result = L::F64::select(a.lt(c::<L>(1.0)), near, far);
    Value::select(x.is_nan(), x, narrow::<L>(result))
}
