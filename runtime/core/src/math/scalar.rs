//! Functions computed lane by lane with the machine's scalar library.

use crate::lanes::{Lanes, Value};

mod c {
    unsafe extern "C" {
        pub(super) safe fn erf(x: f64) -> f64;
        pub(super) safe fn erfc(x: f64) -> f64;
        pub(super) safe fn lgamma(x: f64) -> f64;
        pub(super) safe fn tgamma(x: f64) -> f64;
    }
}

macro_rules! lane_by_lane {
    ($($name:ident: $vector:ident = |$($x:ident),*| $e:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name<L: Lanes>($($x: L::$vector),*) -> L::$vector {
            #[expect(clippy::allow_attributes, reason = "one operand or two")]
            #[allow(unused_parens, reason = "one operand or two")]
            fn apply($($x: <crate::lanes::One as Lanes>::$vector),*) -> <crate::lanes::One as Lanes>::$vector { $e }
            Value::from_lanes(|lane| apply($($x.lane(lane)),*))
        }
    )*};
}

lane_by_lane! {
    lgamma_f32: F32 = |x| c::lgamma(f64::from(x)) as f32;
    tgamma_f32: F32 = |x| c::tgamma(f64::from(x)) as f32;
    erf_f64: F64 = |x| c::erf(x);
    erfc_f64: F64 = |x| c::erfc(x);
    lgamma_f64: F64 = |x| c::lgamma(x);
    tgamma_f64: F64 = |x| c::tgamma(x);
}
